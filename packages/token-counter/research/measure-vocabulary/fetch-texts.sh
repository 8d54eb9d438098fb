#!/bin/sh
# Unpacks (does not install) Debian packages that hold words of many languages into a folder.
# usage: sh fetch-texts.sh <folder>; `apt-get update` must have run. About 720 MB are fetched.
set -eu
packages='hunspell-[a-z]{2,3}(-[a-z-]+)?|myspell-(fa|hy|el-gr|sq|sk|et|bg|eo|fo|gv|ga|nb|nn|tl|en-au)
w(american|british|brazilian|bulgarian|catalan|danish|dutch|esperanto|faroese|finnish|french|galician-minimos
german-medical|irish|italian|manx|ngerman|norwegian|ogerman|polish|portuguese|spanish|swedish|swiss|ukrainian
american-huge|american-insane|british-huge|canadian)
manpages-[a-z-]+|manpages|gnome-user-docs|iso-codes|gcc-12-locales|util-linux-locales|gettext-doc
installation-guide-amd64
maint-guide-[a-z-]+|debian-policy|doc-debian|python3.11-doc|postgresql-doc-15|perl-doc|dict-freedict-[a-z]+-[a-z]+
wordnet-base|dict-gcide
unicode-data|bible-kjv-text|edict|kanjidic|skkdic|rime-data-(luna-pinyin|terra-pinyin|cantonese)|libchewing3-data
opencc-data|libopencc-data
evolution-common|gnucash-common|gnumeric-common|vlc-l10n|libgtk-3-common|libgtk-4-common|libglib2.0-data
libreoffice-l10n-[a-z-]+
libreoffice-help-[a-z-]+|rust-doc|tzdata|libkf5i18n-data|verbiste|apt-listchanges|git-doc|krita-l10n|parley-data
calligra-l10n-[a-z]+
node-typescript|node-date-fns|node-lodash|emacs-common|vim-runtime|nginx-doc|sqlite3-doc|php-doc|ruby3.1-doc
cppreference-doc-en-html
cppreference-doc-zh-html|zim|icu-doc|kdevelop-l10n|cmake-doc|r-doc-html|tldr|dbus-tests|aptitude-doc-[a-z]+'
mkdir -p "$1/debs"
cd "$1/debs"
apt-cache pkgnames | grep -xE "$(printf '%s' "$packages" | tr '\n' '|')" | sort | xargs -n 40 apt-get -q download
for package in *.deb; do dpkg-deb -x "$package" "$1"; done
rm -r "$1/debs"
