import { cp, readFile, stat, writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, expect } from "vitest";
import { REVOICE } from "../../../../src/cli/commands/revoice/revoice.ts";
import { readCues } from "../../../../src/formats/index.ts";
import { parseTimeline } from "../../../../src/formats/read-document.ts";
import { HostedServer } from "../../../fakes/hosted-server.ts";
import { silentWav } from "../../../fakes/wav.ts";
import { sharedMedia } from "../../../shared-media.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { asideHere, hostedService } from "../../run-aside.ts";

const VTT =
  "WEBVTT\n\n00:00.500 --> 00:01.300\nA woman sits.\n\n00:02.000 --> 00:02.900\nShe reads.\n\n00:04.000 --> 00:04.800\nIt rains.\n";

/** The words of the result. */
export const WORDS = readCues(VTT).cues.map(({ text }) => text);

/**
 * Describes a film once for all tests of a file.
 *
 * @param options Of `aside describe`.
 * @returns Makes a copy of the result, in which the words of some lines are other ones.
 */
export function copiesOfResult(...options: readonly string[]) {
  let described = "";
  beforeAll(async () => {
    const server = new HostedServer();
    server.vtt = VTT;
    server.wav = silentWav(5);
    server.pollSeconds = 0.02;
    const { address, close } = await server.listen();
    described = join(await temporaryFolder(), "out");
    const order = ["describe", sharedMedia("containers/sintel-5s.mp4"), "--out", described, "--server", address];
    const ended = await asideHere([...order, ...options], { ASIDE_API_KEY: server.key });
    await close();
    expect(ended.code, ended.stderr).toBe(0);
  });
  return (changes: Readonly<Record<string, string>> = {}) => copied(described, changes);
}

async function copied(described: string, changes: Readonly<Record<string, string>>) {
  const { server, address, folder, out, env } = await hostedService();
  await cp(described, out, { recursive: true });
  const read = (name: string) => readFile(join(out, name), "utf8");
  server.vtt = VTT;
  let timeline = await read("timeline.otio");
  for (const [from, to] of Object.entries(changes)) {
    timeline = timeline.replaceAll(from, to);
    server.vtt = server.vtt.replace(from, to);
  }
  await writeFile(join(out, "timeline.otio"), timeline);
  const revoice = async (...options: readonly string[]) => {
    const args = [REVOICE.name, out, "--server", address, "--json", ...options];
    const { code, stdout, stderr } = await asideHere(args, { ...env, XDG_DATA_HOME: folder });
    return { code, stderr, report: stdout === "" ? undefined : JSON.parse(stdout) };
  };
  /** Names of our sounds on a timeline of the result, which lie in its folder. */
  const soundsOn = async (name: string) => {
    const found = parseTimeline(await read(name), name).timeline;
    const places =
      found?.tracks.flatMap(({ clips }) =>
        clips.map(({ source }) => (source.kind === "media" ? (source.location ?? "") : "")),
      ) ?? [];
    const ours = places.filter((place) => place.endsWith(".wav")).map((place) => fileURLToPath(place));
    for (const place of ours) await stat(place);
    return ours.map((place) => relative(out, place)).sort();
  };
  return { folder, out, address, env, read, revoice, soundsOn, server };
}
