import { rm } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { pairingPath } from "../../../contract/pairing.ts";
import { escapeHtml } from "../../../core/escape-html.ts";
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
