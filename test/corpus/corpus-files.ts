import { readdirSync, readFileSync } from "node:fs";
import { decodeFile } from "../../src/formats/decode-file.ts";
import type { DecodedText } from "../../src/formats/index.ts";

const CORPORA = new URL("../../../shared/corpora/", import.meta.url);

/** Bytes of a file of the corpora. */
export function corpusBytes(path: string): Uint8Array {
  return readFileSync(new URL(path.split("/").map(encodeURIComponent).join("/"), CORPORA));
}

/** Text of a file of the corpora that is in UTF-8. */
export function corpusText(path: string): string {
  return Buffer.from(corpusBytes(path)).toString("utf8");
}

/** A file of the corpora as text, whatever its encoding. */
export function corpusDecoded(path: string): DecodedText {
  const decoded = decodeFile(corpusBytes(path));
  if (decoded === null) throw new Error(`the encoding of ${path} cannot be told`);
  return decoded;
}

/** A JSON file of the corpora, in the shape the caller names. */
export function corpusJson<Shape>(path: string): Shape {
  // The corpora are fixed data whose shape their README states.
  return JSON.parse(corpusText(path)) as Shape;
}

/** Paths of the files in a folder of the corpora and below, in order, relative to the corpora. */
export function corpusPaths(folder: string): string[] {
  return readdirSync(new URL(`${folder}/`, CORPORA), { withFileTypes: true })
    .flatMap((entry) => {
      const path = `${folder}/${entry.name}`;
      return entry.isDirectory() ? corpusPaths(path) : [path];
    })
    .sort();
}
