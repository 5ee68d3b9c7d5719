import { readFile, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { formatPairing, type Pairing, pairingPath, readPairing } from "../../../contract/pairing.ts";
import { escapeHtml } from "../../../core/text.ts";
import { writePrivateFile } from "../../../service/storage/private-file.ts";

/**
 * A file of this user that leads a browser to an address. Other users of the computer can read what a program is started with,
 * and not this. On Linux it stands in the home folder itself: browsers that are packaged as snaps read no hidden folder.
 */
function openerPath(): string {
  const folder = process.platform === "linux" ? homedir() : dirname(pairingPath(homedir(), process.platform));
  return join(folder, "aside-page.html");
}

/** Leaves the file for an address, in place of an older one; gives its path. @throws the system's error. */
export function writePageOpener(address: string, path = openerPath()): Promise<string> {
  return write(path, [
    '<meta name="referrer" content="no-referrer">',
    `<meta http-equiv="refresh" content="0; url=${escapeHtml(address)}">`,
    "<p>Aside opens…</p>",
  ]);
}

/**
 * Leaves the file with why Aside could not start, for whoever opened it without a terminal; gives its path.
 *
 * @param sentences What happened, and what to do about it.
 * @throws the system's error.
 */
export function writeFailurePage(sentences: readonly string[], path = openerPath()): Promise<string> {
  return write(path, [
    "<style>body { font: 1.1em/1.5 system-ui, sans-serif; max-width: 40em; margin: 3em auto; padding: 0 1em }</style>",
    "<h1>Aside could not start</h1>",
    ...sentences.map((sentence) => `<p>${escapeHtml(sentence)}</p>`),
    "<p>Then open Aside again.</p>",
  ]);
}

/** @param body Lines of HTML. */
async function write(path: string, body: readonly string[]): Promise<string> {
  const head = ["<!doctype html>", '<html lang="en"><meta charset="utf-8"><title>Aside</title>'];
  await writePrivateFile(path, `${[...head, ...body, "</html>"].join("\n")}\n`);
  return path;
}

/** Removes the file, should it be there. */
export async function removePageOpener(path = openerPath()): Promise<void> {
  await rm(path, { force: true });
}

/** Where this user's file stands. */
function ownPairingPath(): string {
  return pairingPath(homedir(), process.platform);
}

/** What is left for the panel; `null` where there is nothing, or nothing that can be read. */
export async function readPairingFile(path = ownPairingPath()): Promise<Pairing | null> {
  return readFile(path, "utf8").then(readPairing, () => null);
}

/**
 * Leaves a pairing for the panel of the same user, and for nobody else.
 *
 * @throws the system's error where it cannot be written, or closed to others.
 */
export async function writePairingFile(pairing: Pairing, path = ownPairingPath()): Promise<void> {
  await writePrivateFile(path, formatPairing(pairing));
}

/** Takes the pairing of a process away, unless another one has left its own since. */
export async function removePairingFile(pid: number, path = ownPairingPath()): Promise<void> {
  if ((await readPairingFile(path))?.pid === pid) await rm(path, { force: true });
}
