import type { CompanionPlatform } from "./platforms.ts";

/** A file of the package that is not copied: its place, its text, and whether it is run. */
export interface WrittenFile {
  readonly path: string;
  readonly text: string;
  readonly isProgram?: true;
}

/** What a package is told of itself. */
export interface LauncherFacts {
  readonly version: string;
  /** Folder of the package in the archive, without a slash at its end: `Aside`, on macOS `Aside.app`. */
  readonly top: string;
  /** Folder with `bin`, `src` and `node_modules`, from the top. */
  readonly program: string;
}

/** The folder of a package and where its program is. */
export function layoutOf({ os }: CompanionPlatform): Pick<LauncherFacts, "top" | "program"> {
  return os === "darwin"
    ? { top: "Aside.app", program: "Contents/Resources/aside" }
    : { top: "Aside", program: "aside" };
}

/** What is double-clicked, and what tells the system of it. */
export function launchersOf(platform: CompanionPlatform, facts: LauncherFacts): readonly WrittenFile[] {
  switch (platform.os) {
    case "win32":
      return windowsLaunchers(platform, facts);
    case "darwin":
      return macLaunchers(platform, facts);
    default:
      return linuxLaunchers(platform, facts);
  }
}

/** The window of the first closes at once; what it starts has none. */
function windowsLaunchers({ node }: CompanionPlatform, { program }: LauncherFacts): WrittenFile[] {
  const runtime = `%~dp0${program}\\node_modules\\${node.replaceAll("/", "\\")}`;
  const main = `%~dp0${program}\\bin\\aside.mjs`;
  const cache = 'set "ASIDE_CODE_CACHE=%LOCALAPPDATA%\\Aside\\code"';
  return [
    {
      path: "Aside.cmd",
      text: crlf(`@echo off
rem Starts Aside without a window of its own. Double-click it.
${cache}
start "" "%SystemRoot%\\System32\\conhost.exe" --headless "${runtime}" "${main}" companion --launcher "%~f0"
`),
    },
    {
      path: "aside-command-line.cmd",
      text: crlf(`@echo off
rem The command line of Aside: aside-command-line --help
${cache}
"${runtime}" "${main}" %*
`),
    },
    {
      path: "Remove Aside.cmd",
      text: crlf(`@echo off
rem Takes back what Aside told Windows, and asks about your data. Then delete this folder.
"${runtime}" "${main}" companion --remove
pause
`),
    },
  ];
}

function macLaunchers({ node }: CompanionPlatform, { version, program }: LauncherFacts): WrittenFile[] {
  const inside = program.replace(/^Contents\//, "");
  return [
    {
      path: "Contents/Info.plist",
      text: `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">
<dict>
  <key>CFBundleName</key>
  <string>Aside</string>
  <key>CFBundleDisplayName</key>
  <string>Aside</string>
  <key>CFBundleIdentifier</key>
  <string>app.aside.companion</string>
  <key>CFBundlePackageType</key>
  <string>APPL</string>
  <key>CFBundleExecutable</key>
  <string>aside</string>
  <key>CFBundleShortVersionString</key>
  <string>${version}</string>
  <key>CFBundleVersion</key>
  <string>${version}</string>
  <key>LSUIElement</key>
  <true/>
  <key>LSMinimumSystemVersion</key>
  <string>13.0</string>
  <key>CFBundleURLTypes</key>
  <array>
    <dict>
      <key>CFBundleURLName</key>
      <string>app.aside.companion</string>
      <key>CFBundleURLSchemes</key>
      <array>
        <string>aside</string>
      </array>
    </dict>
  </array>
</dict>
</plist>
`,
    },
    {
      path: "Contents/MacOS/aside",
      isProgram: true,
      text: `#!/bin/sh
# Starts Aside when the application is opened; with arguments it is the command line.
here=$(cd "\${0%/*}/.." && pwd)
export ASIDE_CODE_CACHE="$HOME/Library/Caches/Aside/code"
[ $# -eq 0 ] && set -- companion
exec "$here/${inside}/node_modules/${node}" "$here/${inside}/bin/aside.mjs" "$@"
`,
    },
    {
      // Beside the application, which is moved away from it.
      path: "../Remove Aside.command",
      isProgram: true,
      text: `#!/bin/sh
# Takes back what Aside told macOS, and asks about your data. Then delete the application.
for app in /Applications/Aside.app "$HOME/Applications/Aside.app" "\${0%/*}/Aside.app"; do
  [ -x "$app/Contents/MacOS/aside" ] && exec "$app/Contents/MacOS/aside" companion --remove
done
echo "Aside is not among the applications."
`,
    },
  ];
}

function linuxLaunchers({ node }: CompanionPlatform, { program }: LauncherFacts): WrittenFile[] {
  return [
    {
      path: "aside.sh",
      isProgram: true,
      // No program but the shell itself: it starts with an empty PATH too.
      text: `#!/bin/sh
# Starts Aside; with arguments it is the command line, as in: aside.sh companion --remove. The first start puts Aside among the applications of the desktop.
here=\${0%/*}
[ "$here" = "$0" ] && here=.
here=$(cd "$here" && pwd)
export ASIDE_CODE_CACHE="\${XDG_CACHE_HOME:-$HOME/.cache}/aside/code"
[ $# -eq 0 ] && set -- companion --launcher "$here/aside.sh"
exec "$here/${program}/node_modules/${node}" "$here/${program}/bin/aside.mjs" "$@"
`,
    },
  ];
}

function crlf(text: string): string {
  return text.replaceAll("\n", "\r\n");
}
