#!/bin/sh
# Mints with the JAR that is somewhere below a folder, and with nothing else on the class path: jar.sh FOLDER
set -eu
jar=$(find "$1" -name 'leafmint-[0-9]*.jar' ! -name '*-sources.jar' ! -name '*-javadoc.jar')
test "$(printf '%s\n' "$jar" | wc -l)" -eq 1 && test -f "$jar" || { echo "not one JAR below $1: $jar" >&2; exit 1; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
java -Dfolder="$folder" --class-path "$jar" "$(dirname "$0")/Mint.java"
