// Holds the list of models against what their makers publish now: sizes and SHA-256 sums, without downloading the models.
// For whoever has internet: nothing of it can be asked where this project is built.
import { createHash } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { arch, platform } from "node:os";
import { fileURLToPath } from "node:url";
import { isObject, parsedJson } from "../../../src/core/objects.ts";
import { CATALOG } from "../../../src/engine/store/catalog.ts";
import { engineFor } from "../../../src/engine/store/catalog-engines.ts";
import type { Source } from "../../../src/engine/store/catalog-row.ts";
import { placeOf, sumIn } from "../../../src/engine/store/fetch-file.ts";

/** Asks a server, as `fetch` does. */
export type Ask = (url: string, init?: RequestInit) => Promise<Response>;

/** What was found of one file. */
export interface ConfirmedSource {
  readonly url: string;
  /** `same`: as the list has it. `other`: size or sum differ. `unpinned`: the list has no sum, and this is it. `unknown`: nobody said. */
  readonly verdict: "same" | "other" | "unpinned" | "unknown";
  readonly listed: { readonly bytes: number; readonly sha256: string | null };
  readonly found: { readonly bytes: number | null; readonly sha256: string | null };
  /** Who said so, or why nobody did. */
  readonly by: string;
}

/** Files up to this size are fetched where nobody tells their sum, in bytes. */
const FETCHED_BYTES = 16_000_000;

/** Every file of the list, those of each system's engines among them. */
export function allSources(): Source[] {
  const systems = ["darwin-arm64", "darwin-x64", "win32-x64", "win32-arm64", "linux-x64", "linux-arm64"];
  const engines = systems.flatMap((system) => {
    const [name = "", architecture = ""] = system.split("-");
    return [true, false].flatMap((hasGraphics) =>
      (["sherpa-onnx", "llama-server"] as const).flatMap(
        (form) => engineFor(form, { platform: name, architecture, hasGraphics }) ?? [],
      ),
    );
  });
  const sources = [...engines, ...CATALOG].flatMap((model) => model.sources);
  return [...new Map(sources.map((source) => [source.url, source])).values()];
}

/** Asks who publishes a file for its size and sum; small ones that nobody tells the sum of are fetched. */
export async function confirmSource(source: Source, ask: Ask): Promise<ConfirmedSource> {
  const told = await toldOf(source, ask).catch((error: unknown) => nothing(`failed: ${(error as Error).message}`));
  const { url, bytes, sha256 } = source;
  const isOther =
    sha256 !== null &&
    ((told.bytes !== null && told.bytes !== bytes) || (told.sha256 !== null && told.sha256 !== sha256));
  const known = sha256 === null ? "unpinned" : "same";
  const verdict = told.sha256 === null && !isOther ? "unknown" : isOther ? "other" : known;
  return { url, verdict, listed: { bytes, sha256 }, found: { bytes: told.bytes, sha256: told.sha256 }, by: told.by };
}

interface Told {
  readonly bytes: number | null;
  readonly sha256: string | null;
  readonly by: string;
}

const nothing = (by: string): Told => ({ bytes: null, sha256: null, by });

async function toldOf(source: Source, ask: Ask): Promise<Told> {
  const { host, pathname } = new URL(source.url);
  if (host === "huggingface.co") return (await byHub(source, ask)) ?? byContent(source, ask);
  if (host !== "github.com") return byContent(source, ask);
  const [, owner, name, , , tag] = pathname.split("/");
  const list = source.url.replace(/[^/]+$/, "checksum.txt");
  return (await byRelease(source, `${owner}/${name}`, tag ?? "", ask)) ?? byList(source, list, ask);
}

/** Hugging Face names the sum of each large file in a header of its redirect. */
async function byHub({ url }: Source, ask: Ask): Promise<Told | null> {
  const { status, headers } = await ask(url, { method: "HEAD", redirect: "manual" });
  if (status >= 400) return nothing(`status ${status}`);
  const sum = headers.get("x-linked-etag")?.replaceAll('"', "") ?? "";
  if (!/^[0-9a-f]{64}$/.test(sum)) return null;
  return { bytes: Number(headers.get("x-linked-size")), sha256: sum, by: "x-linked-etag" };
}

/** GitHub publishes a digest for each asset of newer releases. A release of many assets is listed in pages. */
async function byRelease(source: Source, repository: string, tag: string, ask: Ask): Promise<Told | null> {
  const [, name] = placeOf(source.url);
  const reply = await ask(`https://api.github.com/repos/${repository}/releases/tags/${tag}`);
  if (!reply.ok) return null;
  const release = parsedJson(await reply.text());
  const assets = isObject(release) && Array.isArray(release["assets"]) ? release["assets"] : [];
  const asset = assets.filter(isObject).find((one) => one["name"] === name);
  const sum = /^sha256:([0-9a-f]{64})$/.exec(String(asset?.["digest"]))?.[1];
  if (asset === undefined || sum === undefined) return null;
  return { bytes: Number(asset["size"]), sha256: sum, by: "GitHub's digest" };
}

async function byList(source: Source, list: string, ask: Ask): Promise<Told> {
  const head = await ask(source.url, { method: "HEAD" });
  const bytes = head.ok ? Number(head.headers.get("content-length")) : null;
  const reply = await ask(list);
  if (!reply.ok) return { bytes, sha256: null, by: `no list: status ${reply.status}` };
  return { bytes, sha256: sumIn(await reply.text(), source, "checksum.txt"), by: "checksum.txt" };
}

async function byContent({ url, bytes }: Source, ask: Ask): Promise<Told> {
  if (bytes > FETCHED_BYTES) return nothing("too large to be fetched here");
  const reply = await ask(url);
  if (!reply.ok) return nothing(`status ${reply.status}`);
  const content = Buffer.from(await reply.arrayBuffer());
  return { bytes: content.length, sha256: createHash("sha256").update(content).digest("hex"), by: "its content" };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const report = process.argv[2] ?? `aside-models-${new Date().toISOString().slice(0, 10)}.json`;
  const confirmed: ConfirmedSource[] = [];
  for (const source of allSources()) {
    const one = await confirmSource(source, fetch);
    confirmed.push(one);
    process.stdout.write(`${one.verdict.padEnd(9)} ${one.url}  (${one.by})\n`);
  }
  const system = `${platform()} ${arch()}, Node ${process.versions.node}`;
  await writeFile(report, `${JSON.stringify({ at: new Date().toISOString(), system, sources: confirmed }, null, 1)}\n`);
  const count = (verdict: ConfirmedSource["verdict"]) => confirmed.filter((one) => one.verdict === verdict).length;
  process.stdout.write(
    `\n${count("same")} the same, ${count("other")} other, ${count("unpinned")} not pinned, ${count("unknown")} unknown. ${report} is what to send.\n`,
  );
  process.exitCode = count("other") === 0 ? 0 : 1;
}
