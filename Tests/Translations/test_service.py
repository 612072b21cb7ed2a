"""The service speaks the session's language over D-Bus, read by a client that knows nothing of catalogs."""

import shutil

import pytest
from kit import names
from kit.acts import WRONG, turn_on
from kit.loop import wait_until
from kit.world import program


def locked(world):
    app = world.app("org.example.App")
    app.hold(ui="none")
    turn_on(app)
    app.lock()
    return app


@pytest.mark.parametrize(
    "language, title, description, cancel",
    [
        ("de", "Code festlegen", "Geben Sie den 4-stelligen Code ein", "Abbrechen"),
        ("fr", "Définir un code", "Saisissez le code à 4 chiffres", "Annuler"),
        ("es", "Establecer un código", "Introduzca el código de 4 cifras", "Cancelar"),
        ("pt_BR", "Definir código", "Digite o código de 4 dígitos", "Cancelar"),
        ("ru", "Установить код-пароль", "Введите код-пароль из 4 цифр", "Отмена"),
        ("ar", "تعيين رمز الدخول", "أدخل رمز الدخول المكوّن من 4 أرقام", "إلغاء"),
        ("ja", "パスコードを設定", "4 桁のパスコードを入力してください", "キャンセル"),
        ("zh_CN", "设置密码", "请输入 4 位数字密码", "取消"),
        ("hi", "पासकोड सेट करें", "4 अंकों का पासकोड दर्ज करें", "रद्द करें"),
    ],
)
def test_a_view_is_in_the_language(speaking, language, title, description, cancel):
    app = speaking(language).app("org.example.App")
    app.hold(ui="none")
    app.present("twice", ui="none")
    view = app.view()
    assert (view["title"], view["description"], view["cancel_title"]) == (title, description, cancel)


@pytest.mark.parametrize(
    "language, one, two",
    [
        ("en", "1 Failed Passcode Attempt. Try again.", "2 Failed Passcode Attempts. Try again."),
        ("de", "1 fehlgeschlagener Versuch. Versuchen Sie es erneut.", "2 fehlgeschlagene Versuche. Versuchen Sie es erneut."),
        ("ar", "محاولة فاشلة واحدة. أعد المحاولة.", "محاولتان فاشلتان. أعد المحاولة."),
    ],
)
def test_failures_have_their_plural(speaking, language, one, two):
    app = locked(speaking(language))
    for text in (one, two):
        assert app.outcome(WRONG) == "wrong"
        assert app.view()["description"] == text


def test_russian_counts_one_two_and_five(speaking):
    app = locked(speaking("ru"))
    seen = []
    for _ in range(5):
        assert app.outcome(WRONG) == "wrong"
        seen.append(app.view()["description"])
    end = " ввода код-пароля. Повторите попытку."
    assert seen == [
        text + end
        for text in (
            "1 неудачная попытка",
            "2 неудачные попытки",
            "3 неудачные попытки",
            "4 неудачные попытки",
            "5 неудачных попыток",
        )
    ]


def test_arabic_counts_five(speaking):
    app = locked(speaking("ar"))
    for _ in range(5):
        assert app.outcome(WRONG) == "wrong"
    assert app.view()["description"] == "5 محاولات فاشلة. أعد المحاولة."


def test_the_first_language_that_is_there_counts(speaking):
    app = speaking("xx:fr:de").app("org.example.App")
    app.hold(ui="none")
    app.present("twice", ui="none")
    assert app.view()["title"] == "Définir un code"


@pytest.mark.parametrize(
    "variables, title",
    [
        # What LC_MESSAGES says wins over LANG; C has no translations, whatever LANGUAGE says.
        ({"LC_MESSAGES": "C"}, "Set Passcode"),
        ({"LC_ALL": "C"}, "Set Passcode"),
        # A locale that the machine does not have.
        ({"LANG": "de_XX.UTF-8"}, "Code festlegen"),
        # Another encoding is no reason for question marks.
        ({"LC_CTYPE": "C"}, "Code festlegen"),
    ],
)
def test_the_environment_is_gettexts(speaking, variables, title):
    app = speaking("de", **variables).app("org.example.App")
    app.hold(ui="none")
    app.present("twice", ui="none")
    assert app.view()["title"] == title


def test_texts_are_utf8_in_any_encoding(speaking):
    app = speaking("ar", LC_CTYPE="C").app("org.example.App")
    app.hold(ui="none")
    app.present("twice", ui="none")
    assert app.view()["title"] == "تعيين رمز الدخول"


@pytest.mark.parametrize(
    "place, title",
    [
        ("libexec", "Code festlegen"),
        ("lib/x86_64-linux-gnu/smileauth", "Code festlegen"),
        # Too far away to be of the same prefix.
        ("a/b/c/d", "Set Passcode"),
    ],
)
def test_the_installed_catalogs_are_found(speaking, locale_folder, tmp_path, place, title):
    """…/share/locale from …/libexec, by the program's own place."""
    prefix = tmp_path / "prefix"
    (prefix / place).mkdir(parents=True)
    shutil.copy(program("smileauthd"), prefix / place / "smileauthd")
    shutil.copytree(locale_folder, prefix / "share" / "locale")
    world = speaking("de")
    world.kill_service()
    world.service = world.run([str(prefix / place / "smileauthd")], "installed", {"SMILEAUTH_LOCALEDIR": ""})
    wait_until(lambda: world.observer.owner(names.BUS_NAME), 10, "the service's name")
    app = world.app("org.example.App")
    app.hold(ui="none")
    app.present("twice", ui="none")
    assert app.view()["title"] == title
