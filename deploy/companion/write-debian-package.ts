import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { desktopEntry } from "../../src/cli/commands/companion/desktop-entry.ts";
import { neededProgram, wholePath } from "../../src/service/isolate/programs.ts";
import type { WrittenFile } from "./launchers.ts";

/** Name of the package, as `apt` and `dpkg` know it. */
export const DEBIAN_NAME = "aside-companion";

/** What Node and FFmpeg load of the system; the oldest version of the first that Node's own builds run with. */
const DEPENDS = "libc6 (>= 2.28), libstdc++6, libgcc-s1, libatomic1";

/** What dpkg reads, and what is installed beside the program, by their paths in the two archives. */
interface DebianFiles {
  readonly control: readonly WrittenFile[];
  readonly data: readonly WrittenFile[];
}

/**
 * The texts of a Debian package of the companion.
 *
 * @param installedBytes Size of what is installed.
 * @param license Text of our own licence.
 */
function debianFiles(version: string, installedBytes: number, license: string): DebianFiles {
  return {
    control: [
      {
        path: "control",
        text: `Package: ${DEBIAN_NAME}
Version: ${version}
Architecture: amd64
Maintainer: Aside
Section: video
Priority: optional
Depends: ${DEPENDS}
Recommends: xdg-utils
Installed-Size: ${Math.ceil(installedBytes / 1024)}
Description: audio description for film editors
 Aside finds the pauses of a film, describes what is seen, and speaks it there.
 It runs for one user at a time, and is used in the browser.
`,
      },
      {
        path: "postrm",
        isProgram: true,
        // Homes are not a package's to touch, not even when it is purged.
        text: `#!/bin/sh
set -e
case "$1" in
  remove|purge)
    echo "Aside is removed. Each user's data and settings stay in ~/.local/share/aside: delete that folder to remove them too."
    echo "Keys of providers stay in the keyring of a user's desktop, each with @Aside in its name: delete them there."
    echo "(Before a removal, aside companion --remove asks a user about all of it.)"
    ;;
esac
`,
      },
    ],
    data: [
      {
        path: "usr/bin/aside",
        isProgram: true,
        // It says that it is to run: the package tells the desktop, and no user's home has to.
        text: `#!/bin/sh
# Starts Aside; with arguments it is the command line.
[ $# -eq 0 ] && set -- companion
exec /opt/aside/aside.sh "$@"
`,
      },
      {
        path: "usr/share/applications/aside.desktop",
        text: desktopEntry("/usr/bin/aside", { platform: "linux", home: "/" }).file?.content ?? "",
      },
      {
        path: `usr/share/doc/${DEBIAN_NAME}/copyright`,
        text: `${license}\nWhat is inside of others, and under which licences: /opt/aside/aside/NOTICES.txt\n`,
      },
    ],
  };
}

/**
 * Makes a Debian package of a companion for linux-x64: an `ar` archive of two that `tar` makes, by deb(5). Needs GNU's tar.
 *
 * @param folder Folder as `packageCompanion` leaves it.
 * @param unpackedBytes Its size.
 * @returns Path of the package, beside the folder.
 * @throws Error with the words of `tar`.
 */
export async function writeDebianPackage(folder: string, version: string, unpackedBytes: number): Promise<string> {
  // Each -C of tar begins where the one before it led.
  const [program, out] = [resolve(folder), dirname(resolve(folder))];
  const stage = await mkdtemp(join(out, "deb-"));
  try {
    const license = await readFile(join(folder, "Aside", "aside", "LICENSE"), "utf8");
    const { control, data } = debianFiles(version, unpackedBytes, license);
    for (const [name, files] of Object.entries({ control, data })) await put(join(stage, name), files);
    await mkdir(join(stage, "data", "opt"));
    await tar(join(stage, "control.tar.gz"), ["-C", join(stage, "control"), "."]);
    const moved = ["--transform=flags=r;s,^Aside,./opt/aside,", "-C", join(stage, "data"), ".", "-C", program, "Aside"];
    await tar(join(stage, "data.tar.gz"), moved);
    await writeFile(join(stage, "debian-binary"), "2.0\n");
    const path = join(out, `${DEBIAN_NAME}_${version}_amd64.deb`);
    await writeAr(
      path,
      ["debian-binary", "control.tar.gz", "data.tar.gz"].map((name) => join(stage, name)),
    );
    return path;
  } finally {
    await rm(stage, { recursive: true, force: true });
  }
}

async function put(folder: string, files: readonly WrittenFile[]): Promise<void> {
  for (const { path, text, isProgram } of files) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
    await chmod(join(folder, path), isProgram === true ? 0o755 : 0o644);
  }
}

/** Everything is root's, and everybody may read it. */
async function tar(archive: string, what: readonly string[]): Promise<void> {
  const options = ["--format=gnu", "--sort=name", "--owner=0", "--group=0", "--numeric-owner", "--mode=u+rwX,go=rX"];
  await promisify(execFile)(wholePath(await neededProgram("tar")), [...options, "-czf", archive, ...what]);
}

/** An `ar` archive, by deb(5). */
async function writeAr(path: string, members: readonly string[]): Promise<void> {
  const archive = await open(path, "w");
  try {
    await archive.write("!<arch>\n");
    for (const member of members) {
      const bytes = await readFile(member);
      const name = member.slice(dirname(member).length + 1);
      const head = [name.padEnd(16), "0".padEnd(12), "0".padEnd(6), "0".padEnd(6), "100644".padEnd(8)];
      await archive.write(`${head.join("")}${String(bytes.length).padEnd(10)}\`\n`);
      await archive.writeFile(bytes);
      if (bytes.length % 2 === 1) await archive.write("\n");
    }
  } finally {
    await archive.close();
  }
}
