#!/bin/sh
# Runs a program with the passwords and PAM services of DIR in place of the machine's, for itself alone.
#   account.sh DIR [--no-new-privs] PROGRAM [ARGUMENT...]     DIR holds passwd, shadow and smileauth (the PAM service)
set -eu
DIR=$1
shift
cp -r /etc/pam.d "$DIR/pam.d"
cp "$DIR/smileauth" "$DIR/pam.d/smileauth"
chmod 644 "$DIR/passwd" "$DIR/pam.d/smileauth"
chown root:shadow "$DIR/shadow" && chmod 640 "$DIR/shadow"
if [ "$1" = --no-new-privs ]; then shift; set -- setpriv --no-new-privs "$@"; fi
export DIR
exec unshare --mount --propagation private sh -ec '
    mount --bind "$DIR/passwd" /etc/passwd
    mount --bind "$DIR/shadow" /etc/shadow
    mount --bind "$DIR/pam.d" /etc/pam.d
    exec "$@"' sh "$@"
