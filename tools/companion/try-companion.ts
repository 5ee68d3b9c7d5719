// Tries a companion's archive as a person would on an empty computer: `npm run tool -- try:companion ARCHIVE`. Linux alone.
// Unpacked, started with an empty home and no PATH, paired, the sample described, started twice, ended, started again,
// laid over by itself, removed.
import assert from "node:assert/strict";
import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { readPairingFile } from "../../src/cli/commands/companion/page-opener.ts";
import { Client } from "../../src/client/client.ts";
import { type Pairing, pairingPath } from "../../src/contract/pairing.ts";
import { API_KEY_HEADER } from "../../src/contract/routes.ts";
import { neededProgram, wholePath } from "../../src/engine/isolate/programs.ts";
import { SYSTEM_CLOCK } from "../../src/service/system-clock.ts";

const LONGEST_START_MS = 120_000;

const [archive = ""] = process.argv.slice(2);
if (!(await stat(archive).catch(() => null))?.isFile()) {
  const lack = archive === "" ? "" : `There is no file ${archive}. `;
  process.stderr.write(`${lack}Name an archive that npm run tool -- package:companion made.\n`);
  process.exit(2);
}
const computer = await mkdtemp(join(tmpdir(), "aside-computer-"));
const home = join(computer, "home");
const say = (line: string) => process.stdout.write(`✓ ${line}\n`);
try {
  await mkdir(home);
  await unpack();
  const folder = join(computer, basename(archive, ".zip"));
  const launcher = join(folder, "Aside/aside.sh");
  say("unpacked, with its permissions");

  const first = start(launcher);
  const pairing = await paired(null);
  const { mode } = await stat(pairingPath(home, "linux"));
  assert.equal(mode & 0o077, 0, "others can read the pairing");
  say(`started with an empty home and no PATH, at ${pairing.address}`);

  const sample = join(folder, "Aside/aside/sample/aside-sample.mp4");
  const out = join(home, "described");
  const env = { ASIDE_API_KEY: pairing.key };
  const said = await command(launcher, ["describe", sample, "--server", pairing.address, "--out", out], env);
  assert.match(said, /cues\.vtt/);
  assert.ok((await readdir(out)).includes("narration.wav"));
  say("the sample is described, with its narration, over the pairing's key");

  const [link = ""] = (await command(launcher, ["page", "--url", pairing.address])).split("\n");
  const page = await (await fetch(new URL("/home", pairing.address))).text();
  const parts = [...page.matchAll(/(?:src|href)="(home\/files\/[^"]+)"/g)].map(([, path = ""]) => path);
  assert.equal(parts.length, 2);
  for (const part of parts) assert.equal((await fetch(new URL(part, pairing.address))).status, 200, part);
  const token = new URL(link).hash.slice(1);
  const request = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ token }) };
  const logIn = () => fetch(new URL("/home/log-in", pairing.address), request);
  assert.deepEqual([(await logIn()).status, (await logIn()).status], [200, 401]);
  say(`the page is there with its ${parts.length} parts, and its link logs in once`);

  assert.match(await command(launcher, ["companion", "--no-page"]), /runs already/);
  say("a second start joins the first");

  assert.match(await command(launcher, ["companion", "--quit"]), /Ended/);
  await ended(first);
  assert.equal(await pairingNow(), null);
  await assert.rejects(new Client(clientOf(pairing)).getResults("00000000-0000-4000-8000-000000000000"));
  say("ended: nothing of the pairing is left");

  const again = start(launcher);
  const second = await paired(pairing.key);
  assert.equal(await finishedJobs(second), 1);
  say("started again: the job of before is there");
  again.kill("SIGKILL");
  await ended(again);

  await unpack();
  const updated = start(launcher);
  const third = await paired(second.key);
  assert.equal(await finishedJobs(third), 1);
  say("killed, and laid over by another copy of itself: the job of before is there");
  updated.kill("SIGTERM");
  await ended(updated);

  assert.match(await command(launcher, ["companion", "--remove"]), /Films, results and settings stay in/);
  await rm(folder, { recursive: true });
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
  await promisify(execFile)(wholePath(await neededProgram("unzip")), ["-q", "-o", resolve(archive), "-d", computer]);
}

/** Waits until a process has ended; it may have already. */
async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
}

function start(launcher: string): ChildProcess {
  const child = spawn("/bin/sh", [launcher, "companion", "--no-page"], {
    env: { HOME: home, PATH: "" },
    stdio: "inherit",
  });
  process.once("exit", () => child.kill("SIGKILL"));
  return child;
}

async function command(launcher: string, args: readonly string[], env: object = {}): Promise<string> {
  const { stdout, stderr } = await promisify(execFile)("/bin/sh", [launcher, ...args], {
    env: { HOME: home, PATH: "", ...env },
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
    clock: SYSTEM_CLOCK,
  };
}

/** Jobs that the service knows as done. */
async function finishedJobs({ address, key }: Pairing): Promise<number> {
  const metrics = await (await fetch(new URL("/metrics", address), { headers: { [API_KEY_HEADER]: key } })).text();
  return Number(/^aside_jobs\{[^}]*done[^}]*\} (\d+)/m.exec(metrics)?.[1] ?? Number.NaN);
}
