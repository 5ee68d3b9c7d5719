import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

/**
 * Path of a file of the shared media folder beside the checkout, such as `speech/friday.mp4`. Test files that import this
 * module are left out where that folder is missing (`vitest.config.ts`).
 */
export function sharedMedia(name: string): string {
  return fileURLToPath(new URL(`../../shared/media/${name}`, import.meta.url));
}

/** Path of a file of the shared corpora beside the checkout, such as `srt/24-odd.srt`. */
export function sharedCorpora(name: string): string {
  return fileURLToPath(new URL(`../../shared/corpora/${name}`, import.meta.url));
}

/** Bytes of a file of the shared media folder. */
export async function sharedBytes(name: string): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await readFile(sharedMedia(name)));
}
