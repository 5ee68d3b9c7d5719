import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readCues, writeCues } from "../../../src/formats/index.ts";
import { readSoundFile } from "../../engine/mix/sound-files.ts";
import { makeMedia } from "../../made-media.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { IS_THOROUGH } from "../../thorough/thorough-test.ts";
import { download, generate, startServiceHere, upload } from "../real-service.ts";
import type { TestService } from "../service-fixture.ts";

const SCRIPT = ["A door opens.", "Rain falls on a wide green field.", "The train leaves."]
  .map((line, index) => `00:00:0${1 + 4 * index} ${line}`)
  .join("\n");

let folder = "";
let service: TestService;
let mediaId = "";

beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startServiceHere();
  const film = join(folder, "film.mp4");
  makeMedia(film, [
    { graph: "testsrc2=size=160x90:rate=25:duration=14", codec: "libx264", options: { preset: "ultrafast" } },
    { graph: "sine=frequency=200:sample_rate=48000:duration=14,volume=-20dB", codec: "aac" },
  ]);
  mediaId = await upload(service, new Uint8Array(await readFile(film)));
});
afterAll(async () => {
  await service.close();
});

async function soundOf(job: { readonly audio_signed_url: string }, name: string) {
  return readSoundFile(await download(service, job.audio_signed_url, folder, name));
}

// With the programme beside it a line changes by the same.
test.each(["ad_only", ...(IS_THOROUGH ? ["mixed"] : [])])(
  "of %s, a line in other words is spoken alone and changes alone",
  async (track) => {
    const shared = { format: "vtt", audio_track_type: track, auto_fit: true };
    const first = await generate(service, "audio", mediaId, { ...shared, description_content: SCRIPT });
    const { cues } = readCues(first.output.content);
    expect(cues.length).toBeGreaterThan(2);
    const [changed] = cues;
    const later = cues.map((cue) => (cue === changed ? { ...cue, text: "Somebody waits." } : cue));
    const second = await generate(service, "audio", mediaId, {
      ...shared,
      description_content: writeCues(later, "vtt"),
      voicing: first.report.mix.voicing,
    });
    expect(second.report.lines_spoken).toBeLessThanOrEqual(1);
    const back = readCues(second.output.content).cues;
    expect(back.map(({ id, start, text }) => [id, start, text])).toEqual(
      later.map(({ id, start, text }) => [id, start, text]),
    );
    expect(second.report.mix.voicing.lines.slice(1)).toEqual(first.report.mix.voicing.lines.slice(1));

    const [a, b] = [await soundOf(first, "a.wav"), await soundOf(second, "b.wav")];
    expect(b.length).toBe(a.length);
    const rate = 48_000;
    const from = ((changed?.start ?? 0) - 0.85) * rate;
    const to = (Math.max(changed?.end ?? 0, back[0]?.end ?? 0) + 1.5) * rate;
    const differing: number[] = [];
    for (const [channel, plane] of a.planes.entries()) {
      for (let i = 0; i < plane.length; i++) if (plane[i] !== b.planes[channel]?.[i]) differing.push(i);
    }
    expect(differing.length).toBeGreaterThan(0);
    expect(differing.filter((i) => i < from || i > to)).toEqual([]);
  },
  240_000,
);

test("a voicing without a script is named as ignored, and one that is no voicing is refused", async () => {
  const input = { type: "media_id", media_id: mediaId };
  const voicing = { track: "ad_only", narration_gain_db: 0, track_gain_db: 0, lines: [] };
  const idle = await service.send("POST", "generate_ad_audio", { input, generation_config: { voicing } });
  expect(idle.body.ignored).toEqual(["generation_config.voicing"]);
  const wrong = { ...voicing, narration_gain_db: 1e9 };
  const refused = await service.send("POST", "generate_ad_audio", { input, generation_config: { voicing: wrong } });
  expect(refused.status).toBe(400);
  expect(refused.body.message).toContain("generation_config.voicing.narration_gain_db");
});
