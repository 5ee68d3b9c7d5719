import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import { zipSync } from "fflate";
import { type Headers, pack } from "tar-stream";
import type { CatalogModel, Source } from "../../../src/engine/store/catalog-row.ts";

/** SHA-256 of some bytes, in hexadecimal digits. */
export function sha256(bytes: string | Buffer): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** An entry of a tar: a file's text, or a header of another kind. */
export type TarEntry = string | Partial<Headers>;

/** A tar, compressed by gzip. */
export async function tarGz(entries: Readonly<Record<string, TarEntry>>): Promise<Buffer> {
  const tar = pack();
  const whole = buffer(tar);
  for (const [name, entry] of Object.entries(entries)) {
    if (typeof entry === "string") tar.entry({ name }, entry);
    else if (entry.type === "file") tar.entry({ name, ...entry }, "");
    else tar.entry({ name, ...entry });
  }
  tar.finalize();
  return gzipSync(await whole);
}

/** A zip. */
export function zip(files: Readonly<Record<string, string>>): Buffer {
  return Buffer.from(
    zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, Buffer.from(text)]))),
  );
}

/** A tar of `voice/model.onnx` ("a voice"), `voice/tokens.txt` ("a b") and `voice/data/phontab` ("p"), as bzip2 packs it. */
export const TAR_BZ2 = Buffer.from(
  "QlpoOTFBWSZTWZf81nIAATP/hMmACEBAAf+AAAFCEH5v30AAAIEIMADYBjRo0AyZDRiNNA0wMaNGgGTIaMRpoGmAioIyRlG0EMmIMmaaTz2TfDxeYOsmlpygA0/o3Ao7a19oyZF4kk9CzdtmlRNiaIqBJWAyTskU5HTvHEIQteF9yDqSACfPE588ASomrhVNdiabGaWRA0sko3ldxUnSE0klzTnTRCMyCQEzOAH6bMOo8jLqNvb6mu+2MYZZZjh38fglBMdGKa0yS/NKJlBLSfRK35p754GHm7GSgf4u5IpwoSEv+azk",
  "base64",
);

/** A model of two files. */
export function modelOf(
  sources: readonly Source[],
  files: CatalogModel["files"],
  more: Partial<CatalogModel> = {},
): CatalogModel {
  return {
    id: "tones",
    title: "Tones",
    kind: "sounds",
    form: "ced",
    languages: [],
    voices: 0,
    licence: { name: "MIT", url: "https://example.org", has_terms: false },
    memoryBytes: 1,
    installedBytes: 1_000,
    sources,
    files,
    remark: "For tests.",
    ...more,
  };
}
