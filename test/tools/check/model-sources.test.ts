import { expect, test } from "vitest";
import type { Source } from "../../../src/engine/store/catalog-row.ts";
import { type Ask, allSources, confirmSource } from "../../../tools/check/model-sources/model-sources.ts";
import { sha256 } from "../../engine/store/archives.ts";

const source = (url: string, bytes: number, sum: string | null): Source => ({ url, bytes, sha256: sum, into: "m" });

/** Servers that answer as they are written down, by method and address. */
const answering =
  (replies: Readonly<Record<string, () => Response>>): Ask =>
  async (url, init) =>
    replies[`${init?.method ?? "GET"} ${url}`]?.() ?? new Response("", { status: 404 });

const HUB = "https://huggingface.co/o/n/resolve/r/model.gguf";
const ASSET = "https://github.com/o/n/releases/download/b1/a.zip";
const API = "https://api.github.com/repos/o/n/releases/tags/b1";

test("Hugging Face tells the sum of a large file without the file", async () => {
  const headers = { "x-linked-etag": `"${sha256("weights")}"`, "x-linked-size": "7" };
  const ask = answering({ [`HEAD ${HUB}`]: () => new Response(null, { status: 302, headers }) });
  expect(await confirmSource(source(HUB, 7, sha256("weights")), ask)).toMatchObject({
    verdict: "same",
    found: { bytes: 7 },
  });
  expect(await confirmSource(source(HUB, 8, sha256("weights")), ask)).toMatchObject({ verdict: "other" });
  expect(await confirmSource(source(HUB, 7, sha256("others")), ask)).toMatchObject({ verdict: "other" });
});

test("a small file whose sum nobody tells is fetched, a large one stays unknown", async () => {
  const ask = answering({ [`HEAD ${HUB}`]: () => new Response(null), [`GET ${HUB}`]: () => new Response("weights") });
  expect(await confirmSource(source(HUB, 7, sha256("weights")), ask)).toMatchObject({
    verdict: "same",
    by: "its content",
  });
  expect(await confirmSource(source(HUB, 1e9, sha256("weights")), ask)).toMatchObject({ verdict: "unknown" });
});

test("GitHub's digest counts, else the release's own list", async () => {
  const digest = `sha256:${sha256("archive")}`;
  const api = () => Response.json({ assets: [{ name: "a.zip", size: 7, digest }] });
  expect(await confirmSource(source(ASSET, 7, sha256("archive")), answering({ [`GET ${API}`]: api }))).toMatchObject({
    verdict: "same",
    by: "GitHub's digest",
  });
  const ask = answering({
    [`HEAD ${ASSET}`]: () => new Response(null, { headers: { "content-length": "7" } }),
    [`GET ${ASSET.replace("a.zip", "checksum.txt")}`]: () => new Response(`${sha256("archive")}  a.zip\n`),
  });
  expect(await confirmSource(source(ASSET, 9, null), ask)).toMatchObject({
    verdict: "unpinned",
    found: { bytes: 7, sha256: sha256("archive") },
  });
});

test("what does not answer is unknown, with the reason", async () => {
  const broken: Ask = () => Promise.reject(new Error("no line"));
  expect(await confirmSource(source(HUB, 7, sha256("x")), broken)).toMatchObject({
    verdict: "unknown",
    by: "failed: no line",
  });
});

test("every file of the list and of each system's engines is asked for, once", () => {
  const urls = allSources().map(({ url }) => url);
  expect(new Set(urls).size).toBe(urls.length);
  expect(urls.filter((url) => url.includes("llama.cpp"))).toHaveLength(8);
  expect(urls.filter((url) => url.includes("registry.npmjs.org"))).toHaveLength(6);
});
