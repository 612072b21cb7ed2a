# Thin: every target calls what does the work.

SWIFT ?= $(or $(shell command -v swift),$(firstword $(wildcard /opt/swift*/usr/bin/swift \
	/usr/local/swift*/usr/bin/swift /usr/libexec/swift/*/bin/swift $(HOME)/.local/share/swiftly/bin/swift)),swift)
export SWIFT
PYTHON ?= /usr/bin/python3

PREFIX ?= /usr/local
SYSCONFDIR ?= /etc
BINDIR ?= $(PREFIX)/bin
LIBEXECDIR ?= $(PREFIX)/libexec
DATADIR ?= $(PREFIX)/share
# The programs look for share/locale beside and above their own folder (Sources/AuthTexts/Catalogs.swift).
LOCALEDIR ?= $(DATADIR)/locale
UNITDIR ?= $(PREFIX)/lib/systemd/user
# udev looks there as well as below /usr/lib (udev(7)).
UDEVRULESDIR ?= $(PREFIX)/lib/udev/rules.d

RELEASE := .build/release
INTERFACES := $(wildcard dbus/*.xml)
SCRIPTS := .ci/run Tests/run $(filter-out scripts/po-extract,$(wildcard scripts/*)) $(wildcard Tests/Demo/run)
LANGUAGES := $(shell sed '/^\#/d' po/LINGUAS)
BUILT_LOCALE := .build/locale
# Read by desktops, in their languages.
BUILT_DESKTOP := .build/desktop
BUILT_ENTRIES := $(addprefix $(BUILT_DESKTOP)/,smileauth-autostart.desktop.in org.smileauth.Settings.desktop.in \
	org.smileauth.Auth1.metainfo.xml)
ICONS := $(DATADIR)/icons/hicolor
CATALOGS := $(LANGUAGES:%=$(BUILT_LOCALE)/%/LC_MESSAGES/smileauth.mo)
INSTALL := install
FILL := umask 022 && sed -e 's|@BINDIR@|$(BINDIR)|g' -e 's|@LIBEXECDIR@|$(LIBEXECDIR)|g'

.PHONY: help run test build catalogs po packages install uninstall lint bench screenshots docs clean

help:
	@echo 'make run | test | build | install | uninstall | lint | po | bench | screenshots | docs | packages | clean'

# Plays the main job on private buses; on a terminal, then starts the service on the desktop's own.
run: packages
	$(SWIFT) build
	@$(MAKE) -s catalogs
	Tests/Demo/run

# Every suite the calling user can run; a skipped test fails.
test: packages
	$(SWIFT) build --build-tests
	Tests/run

build: packages
	$(SWIFT) build -c release --static-swift-stdlib
	@$(MAKE) -s catalogs

catalogs: $(CATALOGS) $(BUILT_ENTRIES)

$(BUILT_LOCALE)/%/LC_MESSAGES/smileauth.mo: po/%.po
	@mkdir -p $(@D)
	msgfmt --check-format --check-domain --check-accelerators=_ -o $@ $<

$(BUILT_DESKTOP)/%.desktop.in: desktop/%.desktop.in po/LINGUAS $(LANGUAGES:%=po/%.po)
	@mkdir -p $(@D)
	msgfmt --desktop --template=$< -d po -o $@

$(BUILT_DESKTOP)/%.xml: desktop/%.xml.in po/LINGUAS $(LANGUAGES:%=po/%.po)
	@mkdir -p $(@D)
	msgfmt --xml --template=$< -d po -o $@

# The texts of the sources into the catalogs; fails where a translation is missing.
po: packages
	scripts/po-update

packages:
	@scripts/install-packages

# Builds nothing, so that `sudo make install` needs no Swift: run `make build` first.
install:
	@test -x $(RELEASE)/smileauthd || { echo 'Run make build first.' >&2; exit 1; }
	$(INSTALL) -D -s $(RELEASE)/smileauthd $(DESTDIR)$(LIBEXECDIR)/smileauthd
	$(INSTALL) -D -s $(RELEASE)/smileauth-prompt $(DESTDIR)$(LIBEXECDIR)/smileauth-prompt
	$(INSTALL) -D -s $(RELEASE)/smileauth-cover $(DESTDIR)$(LIBEXECDIR)/smileauth-cover
	$(INSTALL) -D -s $(RELEASE)/smileauth $(DESTDIR)$(BINDIR)/smileauth
	$(INSTALL) -D -s $(RELEASE)/smileauth-settings $(DESTDIR)$(BINDIR)/smileauth-settings
	$(INSTALL) -d $(DESTDIR)$(DATADIR)/applications
	$(FILL) $(BUILT_DESKTOP)/org.smileauth.Settings.desktop.in >$(DESTDIR)$(DATADIR)/applications/org.smileauth.Settings.desktop
	$(INSTALL) -d $(DESTDIR)$(DATADIR)/dbus-1/interfaces $(DESTDIR)$(DATADIR)/dbus-1/services
	$(INSTALL) -m 644 $(INTERFACES) $(DESTDIR)$(DATADIR)/dbus-1/interfaces
	$(FILL) dbus/org.smileauth.Auth1.service.in >$(DESTDIR)$(DATADIR)/dbus-1/services/org.smileauth.Auth1.service
	$(INSTALL) -d $(DESTDIR)$(UNITDIR)/graphical-session.target.wants
	$(FILL) dbus/smileauth.service.in >$(DESTDIR)$(UNITDIR)/smileauth.service
	ln -sf ../smileauth.service $(DESTDIR)$(UNITDIR)/graphical-session.target.wants/smileauth.service
	$(INSTALL) -d $(DESTDIR)$(SYSCONFDIR)/xdg/autostart
	$(FILL) $(BUILT_DESKTOP)/smileauth-autostart.desktop.in >$(DESTDIR)$(SYSCONFDIR)/xdg/autostart/smileauth-autostart.desktop
	$(INSTALL) -D -m 644 desktop/pam.d/smileauth $(DESTDIR)$(SYSCONFDIR)/pam.d/smileauth
	$(INSTALL) -D -m 644 desktop/71-smileauth-fingerprint.rules \
		$(DESTDIR)$(UDEVRULESDIR)/71-smileauth-fingerprint.rules
	$(INSTALL) -D -m 644 $(BUILT_DESKTOP)/org.smileauth.Auth1.metainfo.xml \
		$(DESTDIR)$(DATADIR)/metainfo/org.smileauth.Auth1.metainfo.xml
	$(INSTALL) -D -m 644 desktop/icons/org.smileauth.Auth1.svg \
		$(DESTDIR)$(ICONS)/scalable/apps/org.smileauth.Auth1.svg
	$(INSTALL) -D -m 644 desktop/icons/org.smileauth.Auth1-symbolic.svg \
		$(DESTDIR)$(ICONS)/symbolic/apps/org.smileauth.Auth1-symbolic.svg
	for language in $(LANGUAGES); do \
		$(INSTALL) -D -m 644 $(BUILT_LOCALE)/$$language/LC_MESSAGES/smileauth.mo \
			$(DESTDIR)$(LOCALEDIR)/$$language/LC_MESSAGES/smileauth.mo || exit 1; \
	done
	@echo 'Fingerprint sensors that are plugged in already: sudo udevadm control --reload; sudo udevadm trigger -s usb'

uninstall:
	rm -f $(addprefix $(DESTDIR)$(LIBEXECDIR)/,smileauthd smileauth-prompt smileauth-cover) $(addprefix $(DESTDIR)$(BINDIR)/,smileauth smileauth-settings)
	rm -f $(DESTDIR)$(DATADIR)/applications/org.smileauth.Settings.desktop
	rm -f $(addprefix $(DESTDIR)$(DATADIR)/dbus-1/interfaces/,$(notdir $(INTERFACES)))
	rm -f $(DESTDIR)$(DATADIR)/dbus-1/services/org.smileauth.Auth1.service
	rm -f $(DESTDIR)$(UNITDIR)/graphical-session.target.wants/smileauth.service $(DESTDIR)$(UNITDIR)/smileauth.service
	rm -f $(DESTDIR)$(SYSCONFDIR)/xdg/autostart/smileauth-autostart.desktop $(DESTDIR)$(SYSCONFDIR)/pam.d/smileauth
	rm -f $(DESTDIR)$(UDEVRULESDIR)/71-smileauth-fingerprint.rules
	rm -f $(DESTDIR)$(DATADIR)/metainfo/org.smileauth.Auth1.metainfo.xml
	rm -f $(DESTDIR)$(ICONS)/scalable/apps/org.smileauth.Auth1.svg \
		$(DESTDIR)$(ICONS)/symbolic/apps/org.smileauth.Auth1-symbolic.svg
	rm -f $(LANGUAGES:%=$(DESTDIR)$(LOCALEDIR)/%/LC_MESSAGES/smileauth.mo)

lint: packages
	$(SWIFT) format lint --strict --parallel --recursive Package.swift Sources Tests
	xmllint --noout $(INTERFACES) $(wildcard desktop/icons/*.svg)
	for script in $(SCRIPTS); do bash -n $$script || exit 1; done
	scripts/lint-entries

# Numbers of the contract's section 12, against C libdbus and GDBus services.
bench: packages build
	Tests/Benchmarks/run
	$(PYTHON) -m pytest -q -s -p no:cacheprovider Tests/Prompt/bench_prompt.py
	$(PYTHON) -m pytest -q -s -p no:cacheprovider Tests/Cover/bench_cover.py

# Pictures of every view of the prompt and every page of the settings, headless.
screenshots: packages
	$(SWIFT) build --product smileauth-prompt
	$(SWIFT) build --product smileauth-settings
	$(SWIFT) build --product smileauthd
	@$(MAKE) -s catalogs
	Tests/Prompt/screenshots docs/screenshots
	Tests/Settings/screenshots docs/screenshots

# Reference pages of the interfaces: reStructuredText and DocBook.
docs: packages
	rm -rf docs/reference && mkdir -p docs/reference
	gdbus-codegen --output-directory docs/reference --generate-rst reference $(INTERFACES)
	gdbus-codegen --output-directory docs/reference --generate-docbook reference $(INTERFACES)
	@ls docs/reference

clean:
	rm -rf .build docs/reference docs/screenshots
