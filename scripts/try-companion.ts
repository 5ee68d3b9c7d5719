// Tries a companion's archive as a person would on an empty computer: `npm run try:companion -- ARCHIVE`. Linux alone.
// Unpacked, started with an empty home and no PATH, paired, the sample described, started twice, ended, started again,
// laid over by itself, removed. A Debian package is installed by dpkg, as root, into a root that holds the packages it
// depends on and a shell, and is run there by a user.
import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, stat, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { DEBIAN_NAME } from "../deploy/companion/write-debian-package.ts";
import { readPairingFile } from "../src/cli/commands/companion/pairing-file.ts";
import { Client } from "../src/client/client.ts";
import { type Pairing, pairingPath } from "../src/contract/pairing.ts";
import { API_KEY_HEADER } from "../src/contract/routes.ts";
import { neededProgram, wholePath } from "../src/service/isolate/programs.ts";

const LONGEST_START_MS = 120_000;

const [archive = ""] = process.argv.slice(2);
if (!(await stat(archive).catch(() => null))?.isFile()) {
  const lack = archive === "" ? "" : `There is no file ${archive}. `;
  process.stderr.write(`${lack}Name an archive, or a Debian package, that npm run package:companion made.\n`);
  process.exit(2);
}
const isDebian = archive.endsWith(".deb");
const USER = 1000;
const computer = await mkdtemp(join(tmpdir(), "aside-computer-"));
const home = join(computer, "home");
const say = (line: string) => process.stdout.write(`✓ ${line}\n`);
try {
  await mkdir(home);
  if (isDebian) await makeRoot();
  await unpack();
  const folder = isDebian ? "opt/aside" : `${basename(archive, ".zip")}/Aside`;
  const launcher = seen(isDebian ? "usr/bin/aside" : `${folder}/aside.sh`);
  say(isDebian ? "installed into a clean root" : "unpacked, with its permissions");

  const first = start(launcher);
  const pairing = await paired(null);
  const { mode } = await stat(pairingPath(home, "linux"));
  assert.equal(mode & 0o077, 0, "others can read the pairing");
  say(`started with an empty home and no PATH, at ${pairing.address}`);

  const sample = seen(`${folder}/aside/sample/aside-sample.mp4`);
  const env = { ASIDE_API_KEY: pairing.key };
  const said = await command(
    launcher,
    ["describe", sample, "--server", pairing.address, "--out", seen("home/described")],
    env,
  );
  assert.match(said, /cues\.vtt/);
  assert.ok((await readdir(join(home, "described"))).includes("narration.wav"));
  say("the sample is described, with its narration, over the pairing's key");

  const link = await command(launcher, ["page", "--url", pairing.address]);
  const page = await (await fetch(new URL("/home", pairing.address))).text();
  const parts = [...page.matchAll(/(?:src|href)="(home\/files\/[^"]+)"/g)].map(([, path = ""]) => path);
  assert.equal(parts.length, 2);
  for (const part of parts) assert.equal((await fetch(new URL(part, pairing.address))).status, 200, part);
  const token = new URL(link.trim()).hash.slice(1);
  const request = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ token }) };
  const logIn = () => fetch(new URL("/home/log-in", pairing.address), request);
  assert.deepEqual([(await logIn()).status, (await logIn()).status], [200, 401]);
  say(`the page is there with its ${parts.length} parts, and its link logs in once`);

  assert.match(await command(launcher, ["companion", "--no-page"]), /runs already/);
  say("a second start joins the first");

  assert.match(await command(launcher, ["companion", "--quit"]), /Ended/);
  await once(first, "exit").catch(() => undefined);
  assert.equal(await pairingNow(), null);
  await assert.rejects(new Client(clientOf(pairing)).getResults("00000000-0000-4000-8000-000000000000"));
  say("ended: nothing of the pairing is left");

  const again = start(launcher);
  const second = await paired(pairing.key);
  assert.equal(await finishedJobs(second), 1);
  say("started again: the job of before is there");
  again.kill("SIGKILL");
  await once(again, "exit");

  await unpack();
  const updated = start(launcher);
  const third = await paired(second.key);
  assert.equal(await finishedJobs(third), 1);
  say("killed, and laid over by another copy of itself: the job of before is there");
  updated.kill("SIGTERM");
  await once(updated, "exit");

  assert.match(await command(launcher, ["companion", "--remove"]), /Films, results and settings stay in/);
  if (isDebian) {
    const removed = await dpkg("--remove", DEBIAN_NAME);
    assert.match(removed, /data and settings stay in ~\/\.local\/share\/aside/);
    await assert.rejects(stat(join(computer, "opt/aside")));
    await assert.rejects(stat(join(computer, "usr/bin/aside")));
    await dpkg("--purge", DEBIAN_NAME);
    assert.doesNotMatch(await dpkg("--list"), new RegExp(DEBIAN_NAME));
  } else await rm(join(computer, basename(archive, ".zip")), { recursive: true });
  assert.ok((await readdir(join(home, ".local/share/aside"))).includes("server"));
  assert.deepEqual(
    (await readdir(home, { recursive: true })).filter((path) => path.includes("node_modules")),
    [],
  );
  say("removed: the home holds its data alone");
} finally {
  await rm(computer, { recursive: true, force: true });
}

async function unpack(): Promise<void> {
  if (isDebian) await dpkg("--install", resolve(archive));
  else
    await promisify(execFile)(wholePath(await neededProgram("unzip")), ["-q", "-o", resolve(archive), "-d", computer]);
}

/** A path of the computer as its programs see it. */
function seen(path: string): string {
  return isDebian ? `/${path}` : join(computer, path);
}

/** A root with a shell and what the package depends on, copied of this computer's packages, and a user's home. */
async function makeRoot(): Promise<void> {
  const { stdout: depends } = await promisify(execFile)("/usr/bin/dpkg-deb", ["--field", resolve(archive), "Depends"]);
  const packages = [
    "dash",
    ...depends
      .trim()
      .replaceAll(/\([^)]*\)/g, "")
      .split(/\s*,\s*/)
      .map((one) => one.trim()),
  ];
  for (const folder of ["proc", "dev", "tmp", "usr/bin", "usr/lib", "usr/lib64", "var/lib/dpkg/updates"]) {
    await mkdir(join(computer, folder), { recursive: true });
  }
  for (const folder of ["bin", "lib", "lib64"]) await symlink(`usr/${folder}`, join(computer, folder));
  const script = `set -e
    dpkg-query --status "$@" > "$ROOT/var/lib/dpkg/status"
    mkdir -p "$ROOT/var/lib/dpkg/info"
    dpkg-query --listfiles "$@" | while read -r file; do
      if [ -f "$file" ] || [ -L "$file" ]; then mkdir -p "$ROOT\${file%/*}"; cp -a "$file" "$ROOT$file"; fi
    done
    ln -sf dash "$ROOT/usr/bin/sh"
    chmod 755 "$ROOT"; chmod 1777 "$ROOT/tmp"; chown ${USER}:${USER} "$ROOT/home"`;
  await promisify(execFile)("/bin/sh", ["-c", script, "sh", ...packages], {
    env: { ...process.env, ROOT: computer },
    maxBuffer: 1 << 24,
  });
}

async function dpkg(...args: readonly string[]): Promise<string> {
  const { stdout } = await promisify(execFile)("/usr/bin/dpkg", [`--root=${computer}`, ...args]);
  return stdout;
}

/** How a command of the computer is run: by the user of the root, whose home and no PATH it has. */
function called(launcher: string, args: readonly string[]): [string, readonly string[]] {
  if (!isDebian) return ["/bin/sh", [launcher, ...args]];
  const mounts = `for one in proc dev; do /bin/mount --rbind /$one "${computer}/$one"; done`;
  const script = `${mounts}; exec /usr/sbin/chroot --userspec=${USER}:${USER} "${computer}" "$@"`;
  return ["/usr/bin/unshare", ["--mount", "/bin/sh", "-c", script, "sh", launcher, ...args]];
}

function start(launcher: string): ChildProcess {
  const [program, rest] = called(launcher, ["companion", "--no-page"]);
  const child = spawn(wholePath(program), rest, {
    env: { HOME: seen("home"), PATH: "" },
    stdio: "inherit",
  });
  process.once("exit", () => child.kill("SIGKILL"));
  return child;
}

async function command(launcher: string, args: readonly string[], env: object = {}): Promise<string> {
  const [program, rest] = called(launcher, args);
  const { stdout, stderr } = await promisify(execFile)(wholePath(program), rest, {
    env: { HOME: seen("home"), PATH: "", ...env },
    maxBuffer: 1 << 24,
  });
  return stdout + stderr;
}

function pairingNow(): Promise<Pairing | null> {
  return readPairingFile(pairingPath(home, "linux"));
}

/** The pairing of a companion that answers, which is another one than before. */
async function paired(before: string | null): Promise<Pairing> {
  const until = performance.now() + LONGEST_START_MS;
  while (performance.now() < until) {
    const pairing = await pairingNow();
    if (pairing !== null && pairing.key !== before) return pairing;
    await sleep(100);
  }
  throw new Error("no pairing in time");
}

function clientOf({ address, key }: Pairing) {
  return {
    baseUrl: address,
    apiKey: key,
    fetch,
    clock: { now: () => Date.now(), sleep: (milliseconds: number) => sleep(milliseconds) },
  };
}

/** Jobs that the service knows as done. */
async function finishedJobs({ address, key }: Pairing): Promise<number> {
  const metrics = await (await fetch(new URL("/metrics", address), { headers: { [API_KEY_HEADER]: key } })).text();
  return Number(/^aside_jobs\{[^}]*done[^}]*\} (\d+)/m.exec(metrics)?.[1] ?? Number.NaN);
}
