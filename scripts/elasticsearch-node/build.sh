#!/bin/sh
# Builds a real Elasticsearch node of the jars that are published, and prints the folder that it stands in. Needs a JDK
# (17 or later) and Maven. The second time there is nothing to do: what was built is kept in the user's cache folder.
set -eu
sources=$(cd "$(dirname "$0")" && pwd)
version=$(sed -n 's:^  <version>\(.*\)</version>$:\1:p' "$sources/pom.xml")
# Other sources, another folder.
digest=$(cat "$sources"/*.java "$sources/pom.xml" "$sources/build.sh" "$sources/log4j2.properties" | cksum | cut -d ' ' -f 1)
built="${XDG_CACHE_HOME:-$HOME/.cache}/readback/elasticsearch-$version-$digest"

if [ ! -d "$built" ]; then
  partial="$built.$$"
  trap 'rm -rf "$partial"' EXIT
  modules="$partial/modules"
  mkdir -p "$modules/transport-netty4" "$modules/missing-modules" "$partial/classes/node" "$partial/classes/module"
  mvn --batch-mode --quiet --file "$sources/pom.xml" dependency:copy-dependencies \
    -DincludeScope=runtime "-DoutputDirectory=$partial/lib" >&2

  # A module is loaded by a class loader of its own: a folder with jars and a description.
  describe() { # folder, main class
    printf 'name=%s\ndescription=%s\nversion=%s\nelasticsearch.version=%s\njava.version=17\nclassname=%s\n' \
      "$1" "$1" "$version" "$version" "$2" >"$modules/$1/plugin-descriptor.properties"
  }
  mv "$partial/lib"/netty-*.jar "$partial/lib"/transport-netty4-*.jar "$modules/transport-netty4/"
  describe transport-netty4 org.elasticsearch.transport.netty4.Netty4Plugin
  javac -nowarn -cp "$partial/lib/*" -d "$partial/classes/module" "$sources/MissingModules.java" >&2
  jar --create --file "$modules/missing-modules/missing-modules.jar" -C "$partial/classes/module" .
  describe missing-modules MissingModules
  javac -nowarn -cp "$partial/lib/*" -d "$partial/classes/node" "$sources/LocalNode.java" >&2
  cp "$sources/log4j2.properties" "$partial/classes/node/"
  # In one step: a build that was interrupted leaves nothing that looks whole.
  mv "$partial" "$built"
fi
printf '%s\n' "$built"
