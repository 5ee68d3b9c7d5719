import { createHash } from "node:crypto";
import { copyFile, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AV_CHANNEL_LAYOUT_MONO } from "node-av/constants";
import { beforeAll, describe, expect, test } from "vitest";
import { markerComment } from "../../../../src/core/cue.ts";
import { DEFAULT_SETTINGS } from "../../../../src/core/settings.ts";
import { parseTtml, parseWebVtt, readCues, writeOtio } from "../../../../src/formats/index.ts";
import { officeText } from "../../../../src/formats/office/office-text.ts";
import { waveHeader } from "../../../../src/formats/wave/write-wave.ts";
import { writeRecord } from "../../../../src/result/record.ts";
import { signOff } from "../../../../src/result/sign-off.ts";
import { DELIVERY_PRESETS } from "../../../../src/workflow/deliver/delivery-preset.ts";
import { ffmpegLoudness } from "../../../engine/mix/ffmpeg-loudness.ts";
import { readSoundFile } from "../../../engine/mix/sound-files.ts";
import { rmsDbfs } from "../../../engine/mix/tones.ts";
import { placedResult } from "../../../fakes/placed-result.ts";
import { chunkOf } from "../../../formats/wave/wave-chunks.ts";
import { makeMedia } from "../../../made-media.ts";
import { madeTimeline } from "../../../made-timeline.ts";
import { tracksOf } from "../../../service/movie-facts.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { thoroughTest } from "../../../thorough/thorough-test.ts";
import { asideHere } from "../../run-aside.ts";

describe("aside deliver", () => {
  test("writes every text, the sound with a time reference and the same samples, and a manifest with hashes", async () => {
    const folder = await temporaryFolder();
    const [cues, sound, out] = [join(folder, "cues.vtt"), join(folder, "voice.wav"), join(folder, "out")];
    await writeFile(
      cues,
      "WEBVTT\n\na\n00:01.000 --> 00:02.000\nA woman sits.\n\nb\n00:04.000 --> 00:06.000\nShe stands & waits.\n",
    );
    const samples = Int16Array.from({ length: 4_800 }, (_, index) => index * 6);
    const format = { encoding: "integer", bits: 16, channels: 1, channelMask: 0, sampleRate: 48_000 } as const;
    await writeFile(sound, [waveHeader({ format, sampleCount: samples.length }), new Uint8Array(samples.buffer)]);
    const { code, stdout } = await asideHere([
      "deliver",
      cues,
      "--out",
      out,
      "--audio",
      sound,
      "--voice",
      "Achernar",
      "--json",
    ]);
    expect(code).toBe(0);
    const manifest = JSON.parse(stdout);
    expect(manifest).toMatchObject({ descriptions: 2, voice: { kind: "synthetic", name: "Achernar" } });
    const names = (await readdir(out)).sort();
    expect(names).toEqual([...manifest.files.map((file: { name: string }) => file.name), "manifest.json"].sort());
    for (const { name, sha256 } of manifest.files) {
      expect(
        createHash("sha256")
          .update(await readFile(join(out, name)))
          .digest("hex"),
      ).toBe(sha256);
    }
    const text = (name: string) => readFile(join(out, name), "utf8");
    expect(await text("descriptions.vtt")).toContain("Kind: descriptions");
    expect(parseWebVtt(await text("descriptions.vtt")).cues).toHaveLength(2);
    expect(parseTtml(await text("descriptions.dapt.xml")).cues).toHaveLength(2);
    for (const ending of ["srt", "edl", "csv"]) {
      expect(readCues(await text(`descriptions.${ending}`), { filename: `x.${ending}` }).cues).toHaveLength(2);
    }
    expect(await text("script.html")).toContain("She stands &amp; waits.");
    const delivered = await readSoundFile(join(out, "narration.wav"));
    expect(delivered.layout.broadcast?.timeReferenceSamples).toBe(0);
    expect(delivered.planes).toEqual((await readSoundFile(sound)).planes);
  });

  test("does not write into a folder that holds files of others, nor where its own sources lie", async () => {
    const { cues, folder } = await prepared();
    const out = join(folder, "out");
    expect((await asideHere(["deliver", cues, "--out", folder])).code).toBe(2);
    expect((await asideHere(["deliver", cues, "--out", out])).code).toBe(0);
    // A second delivery replaces the first, as long as nobody changed it.
    expect((await asideHere(["deliver", cues, "--out", out, "--title", "Again"])).code).toBe(0);
    await writeFile(join(out, "descriptions.srt"), "mine");
    const refused = await asideHere(["deliver", cues, "--out", out]);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining("--force")]);
    expect(await readFile(join(out, "descriptions.srt"), "utf8")).toBe("mine");
  });
});

const CUES = "WEBVTT\n\na\n00:01.000 --> 00:03.000\nA woman sits.\n\nb\n00:04.000 --> 00:06.000\nShe stands.\n";

/** Cues, and a programme of eight seconds with a loud mix and a narration for it. */
async function prepared() {
  const folder = await temporaryFolder();
  const path = (name: string) => join(folder, name);
  await writeFile(path("cues.vtt"), CUES);
  for (const name of ["mix.wav", "voice.wav", "film.mp4"]) await copyFile(join(programme, name), path(name));
  return { folder, cues: path("cues.vtt"), mix: path("mix.wav"), voice: path("voice.wav"), film: path("film.mp4") };
}

/** The folder with the sounds and the film, made once. */
let programme = "";
beforeAll(async () => {
  programme = await temporaryFolder();
  const path = (name: string) => join(programme, name);
  const sound = (graph: string) => ({ graph, codec: "pcm_s16le" });
  const heard = "between(t,1,3)+between(t,4,6)";
  makeMedia(path("mix.wav"), [sound(`aevalsrc='(0.004+0.95*(${heard}))*sin(6264*t)':s=48000:d=8`)]);
  makeMedia(path("voice.wav"), [sound(`aevalsrc='0.2*sin(6000*t)*(${heard})':s=44100:d=8`)]);
  makeMedia(path("film.mp4"), [
    { graph: "testsrc2=size=160x90:rate=25:duration=8", codec: "libx264" },
    { graph: "sine=frequency=200:sample_rate=48000:duration=8,volume=-40dB", codec: "aac" },
  ]);
});

describe("aside deliver --preset", () => {
  test("names every preset with what it needs", async () => {
    const { code, stdout } = await asideHere(["deliver", "--list-presets"]);
    expect(code).toBe(0);
    for (const { name, title } of DELIVERY_PRESETS) expect(stdout).toMatch(new RegExp(`^${name} .*${title}`, "m"));
  });

  test("says what is missing before anything is written", async () => {
    const { cues, folder } = await prepared();
    const { code, stderr } = await asideHere(["deliver", cues, "--out", join(folder, "out"), "--preset", "youtube"]);
    expect([code, stderr]).toEqual([2, expect.stringContaining("youtube needs --media, --mix")]);
    expect(await readdir(folder)).not.toContain("out");
  });

  test("refuses a mix that breaks a limit, says why, and delivers it once its sound is fitted", async () => {
    const { cues, folder, mix } = await prepared();
    const out = join(folder, "out");
    const call = ["deliver", cues, "--out", out, "--preset", "ebu-r128", "--mix", mix, "--title", "Harbour: 7"];
    const refused = await asideHere(call);
    expect(refused.code).toBe(3);
    expect(refused.stdout).toContain("EBU R 128: -23 LUFS");
    expect((await readdir(out)).sort()).toEqual(["report.html", "report.json"]);
    const loudness = async () => JSON.parse(await readFile(join(out, "report.json"), "utf8")).loudness;
    expect(await loudness()).toMatchObject([{ file: "Harbour- 7_en-US_mix.wav", met: false }]);
    const fitted = await asideHere([...call, "--fit-sound", "--json"]);
    expect(await loudness()).toMatchObject([{ integrated_lufs: -23, met: true }]);
    const manifest = JSON.parse(fitted.stdout);
    expect(manifest.checks.findings.filter(({ severity }: { severity: string }) => severity === "fail")).toEqual([]);
    expect(fitted.code).toBe(0);
    const file = manifest.files.find(({ sound }: { sound?: object }) => sound !== undefined);
    expect(file.name).toBe("Harbour- 7_en-US_mix.wav");
    expect(file.sound).toMatchObject({ bits_per_sample: 24, sample_rate: 48_000, integrated_lufs: -23 });
    const delivered = await readSoundFile(join(out, file.name));
    expect(delivered.length).toBe(8 * 48_000);
    // A gain and nothing else: the same wave, lower.
    const [before = [], after = []] = [(await readSoundFile(mix)).planes[0], delivered.planes[0]];
    const gain = (after[60_013] ?? 0) / (before[60_013] ?? 0);
    for (const at of [1_000, 100_003, 250_007]) expect(after[at]).toBeCloseTo((before[at] ?? 0) * gain, 3);
  });

  thoroughTest("brings the narration along with the mix, at another rate too", async () => {
    const { cues, folder, mix, voice } = await prepared();
    const out = join(folder, "out");
    const inputs = ["--mix", mix, "--audio", voice, "--fit-sound", "--despite"];
    await asideHere(["deliver", cues, "--out", out, "--preset", "ebu-r128", ...inputs]);
    const gainOf = async (before: string, after: string) => {
      const [from, to] = [await readSoundFile(before), await readSoundFile(join(out, after))];
      expect(to.layout.format).toMatchObject({ sampleRate: 48_000, bits: 24 });
      return rmsDbfs(to.planes[0] ?? new Float32Array()) - rmsDbfs(from.planes[0] ?? new Float32Array());
    };
    const gain = await gainOf(mix, "cues_en-US_mix.wav");
    expect(gain).toBeLessThan(-10);
    expect(await gainOf(voice, "cues_en-US_narration.wav")).toBeCloseTo(gain, 0);
  });

  thoroughTest("delivers despite a broken limit when told to, and the manifest says which", async () => {
    const { cues, folder, mix } = await prepared();
    const call = ["deliver", cues, "--out", join(folder, "out"), "--preset", "netflix", "--mix", mix, "--despite"];
    const { code, stdout } = await asideHere([...call, "--json"]);
    expect(code).toBe(3);
    const { checks, files } = JSON.parse(stdout);
    expect(checks.findings.map(({ rule }: { rule: string }) => rule)).toEqual(
      expect.arrayContaining(["bit-depth", "loudness", "true-peak"]),
    );
    expect(files.map(({ name }: { name: string }) => name)).toContain("cues_en-US_mix.wav");
  });

  test("makes a video of the programme's picture with the mix first and the narration marked as description", async () => {
    const { cues, folder, mix, voice, film } = await prepared();
    const out = join(folder, "out");
    const inputs = ["--media", film, "--audio", voice, "--mix", mix, "--language", "de-DE"];
    const { stdout } = await asideHere([
      "deliver",
      cues,
      "--out",
      out,
      "--preset",
      "web",
      ...inputs,
      "--despite",
      "--json",
    ]);
    const video = JSON.parse(stdout).files.find(({ name }: { name: string }) => name.endsWith(".mp4"));
    const tracks = await tracksOf(join(out, video.name));
    expect(tracks.map(({ kind, language, flags }) => [kind, language, flags])).toEqual([
      ["picture", "und", ["default"]],
      ["sound", "deu", ["default", "descriptions", "visual impaired"]],
      ["sound", "und", []],
      ["sound", "deu", ["descriptions", "visual impaired"]],
    ]);
    for (const { seconds } of tracks) expect(Math.abs(seconds - 8)).toBeLessThan(0.05);
  });

  thoroughTest("begins where the recipient wants it, in sound, lists and script alike", async () => {
    const { cues, folder, mix } = await prepared();
    const out = join(folder, "out");
    const call = ["deliver", cues, "--out", out, "--preset", "wbd", "--mix", mix, "--fit-sound", "--json"];
    const manifest = JSON.parse((await asideHere(call)).stdout);
    expect(manifest.start_timecode).toBe("01:00:00:00");
    const sound = await readSoundFile(join(out, "cues_en-US_mix.wav"));
    expect(sound.layout.broadcast?.timeReferenceSamples).toBe(3600 * 48_000);
    expect(await readFile(join(out, "cues_en-US_script.html"), "utf8")).toContain("<td>01:00:04:00</td>");
  });
});

describe("the sounds of a delivery", () => {
  test("say date, number, loudness and history in their heads, and keep what their source said", async () => {
    const { cues, folder, mix } = await prepared();
    const source = join(folder, "from elsewhere.wav");
    const { layout, bytes } = await readSoundFile(mix);
    const broadcast = {
      description: "",
      originator: "Recorder",
      timeReferenceSamples: 7,
      origination: { date: "2025-02-03", time: "04:05:06" },
      codingHistory: ["A=PCM,F=48000,W=16,M=mono,T=recorder"],
    };
    const sampleCount = 8 * 48_000;
    const samples = bytes.subarray(layout.dataOffset, layout.dataOffset + sampleCount * 2);
    await writeFile(source, [waveHeader({ format: layout.format, sampleCount, broadcast }), samples]);
    const out = join(folder, "out");
    await asideHere([
      "deliver",
      cues,
      "--out",
      out,
      "--mix",
      source,
      "--reference",
      "HB-0107",
      "--start",
      "10:00:00:00",
    ]);
    const delivered = await readSoundFile(join(out, "mix.wav"));
    expect(delivered.layout.broadcast).toMatchObject({
      description: "cues: programme with audio description (en-US)",
      originator: "Aside",
      originatorReference: "HB-0107",
      timeReferenceSamples: 36_000 * 48_000,
      origination: broadcast.origination,
      codingHistory: [
        ...broadcast.codingHistory,
        "A=PCM,F=48000,W=16,M=mono,T=Aside; programme with audio description",
      ],
    });
    const loudness = delivered.layout.broadcast?.loudness;
    const reference = ffmpegLoudness(delivered.planes, 48_000, AV_CHANNEL_LAYOUT_MONO);
    expect(Math.abs((loudness?.integratedLufs ?? 0) - reference.integratedLufs)).toBeLessThan(0.1);
    // Eight seconds hold few windows of three: FFmpeg takes another one of them.
    expect(Math.abs((loudness?.rangeLu ?? 99) - reference.rangeLu)).toBeLessThan(0.5);
    expect(Math.abs((loudness?.truePeakDbtp ?? 0) - reference.truePeakDbtp)).toBeLessThan(0.3);
  });

  thoroughTest(
    "begin with a leader and its 2-pop on the frame, are checked without it, and the video goes without it",
    async () => {
      const { cues, folder, mix, voice, film } = await prepared();
      const out = join(folder, "out");
      const inputs = ["--mix", mix, "--audio", voice, "--media", film, "--video", "--despite", "--json"];
      const call = ["deliver", cues, "--out", out, "--preset", "wbd", "--two-pop", "--fit-sound", ...inputs];
      const { checks, files, leader, start_timecode: start } = JSON.parse((await asideHere(call)).stdout);
      expect([leader, start]).toEqual([{ seconds: 8, two_pop: true }, "01:00:00:00"]);
      const rules = checks.findings.map(({ rule }: { rule: string }) => rule);
      expect(rules).not.toContain("time-reference");
      expect(rules).not.toContain("mix-length");
      const { layout, length, planes } = await readSoundFile(join(out, "cues_en-US_mix.wav"));
      expect(layout.broadcast?.timeReferenceSamples).toBe((3600 - 8) * 48_000);
      expect(layout.broadcast?.codingHistory?.at(-1)).toMatch(
        /gain .* dB; true peak held at -2\.2 dBTP; leader added$/,
      );
      expect(length).toBe(16 * 48_000);
      // 25 pictures a second: a frame is 1920 samples.
      const [plane = new Float32Array()] = planes;
      expect(rmsDbfs(plane.subarray(0, 6 * 48_000))).toBe(Number.NEGATIVE_INFINITY);
      expect(rmsDbfs(plane.subarray(6 * 48_000, 6 * 48_000 + 1920))).toBeCloseTo(-23, 0);
      expect(rmsDbfs(plane.subarray(6 * 48_000 + 1920, 8 * 48_000))).toBe(Number.NEGATIVE_INFINITY);
      const video = files.find(({ name }: { name: string }) => name.endsWith(".mp4"));
      for (const { seconds } of await tracksOf(join(out, video.name))) expect(Math.abs(seconds - 8)).toBeLessThan(0.05);
    },
  );

  test.each([["--leader", "1"], ["--leader", "soon"], ["--leader", "61"], ["--two-pop"]])(
    "refuse a leader that is none, or that lies before midnight: %s %s",
    async (...options) => {
      const { cues, folder } = await prepared();
      const { code, stderr } = await asideHere(["deliver", cues, "--out", join(folder, "out"), ...options]);
      expect([code, stderr]).toEqual([2, expect.stringContaining("leader")]);
      expect(await readdir(folder)).not.toContain("out");
    },
  );
});

test("files are named by a pattern of the house's, which is looked at before anything is written", async () => {
  const { cues, folder } = await prepared();
  const out = join(folder, "out");
  const call = ["deliver", cues, "--out", out, "--json", "--file-name"];
  for (const pattern of ["{kind}.{episode}.{ending}", "{reference}_{kind}.{ending}"]) {
    expect((await asideHere([...call, pattern])).code).toBe(2);
  }
  expect(await readdir(folder)).not.toContain("out");
  const { stdout } = await asideHere([...call, "{reference}_{language3}_{kind}.{ending}", "--reference", "HB-0107"]);
  const names = JSON.parse(stdout).files.map(({ name }: { name: string }) => name);
  expect(names).toContain("HB-0107_eng_descriptions.vtt");
  expect((await readdir(out)).sort()).toEqual([...names, "manifest.json"].sort());
});

test("the script says which dialogue each description waits for, by the captions", async () => {
  const { cues, folder } = await prepared();
  const captions = join(folder, "dialogue.srt");
  await writeFile(
    captions,
    "1\n00:00:00,100 --> 00:00:00,800\nWho's there?\n\n2\n00:00:03,200 --> 00:00:03,500\n[door]\n",
  );
  const scriptWith = async (...more: string[]) => {
    await asideHere(["deliver", cues, "--out", join(folder, "out"), ...more]);
    return readFile(join(folder, "out", "script.html"), "utf8");
  };
  const script = await scriptWith("--captions", captions);
  expect(script).toContain("<td>2.0</td><td>“Who&#39;s there?”<br>0.2 s before</td>");
  // A sound in brackets is nobody's words, so that the second description follows on the first.
  expect(script).toContain("<td>2.0</td><td>none</td>");
  expect(await scriptWith()).not.toContain("Dialogue before");
});

test("the script comes as tables of Word and Excel where they are asked for, named and hashed like every file", async () => {
  const { cues, folder } = await prepared();
  const captions = join(folder, "dialogue.srt");
  await writeFile(captions, "1\n00:00:00,100 --> 00:00:00,800\nWho's there?\n");
  const out = join(folder, "out");
  const call = ["deliver", cues, "--out", out, "--captions", captions, "--word", "--excel", "--json"];
  const { stdout } = await asideHere([...call, "--reference", "HB-0107", "--file-name", "{reference}_{kind}.{ending}"]);
  const names = JSON.parse(stdout).files.map(({ name }: { name: string }) => name);
  for (const name of ["HB-0107_script.docx", "HB-0107_script.xlsx"]) {
    expect(names).toContain(name);
    const rows = officeText(await readFile(join(out, name))).split("\n");
    expect(rows.find((row) => row.startsWith("1\t"))).toContain("\tWho's there?\tA woman sits");
    expect(rows.find((row) => row.startsWith("2\t"))).toMatch(/\t\t[^\t]+$/);
  }
});

thoroughTest(
  "the DAPT document of a narration refers to the file that lies beside it, and fades the programme by what was measured",
  async () => {
    const { cues, folder, voice, film } = await prepared();
    const out = join(folder, "out");
    const dapt = async (...more: string[]) => {
      await asideHere(["deliver", cues, "--out", out, "--start", "01:00:00:00", ...more]);
      return readFile(join(out, "descriptions.dapt.xml"), "utf8");
    };
    const text = await dapt("--audio", voice, "--media", film, "--two-pop");
    expect(await readdir(out)).toContain("narration.wav");
    expect(text).toContain('daptm:scriptType="asRecorded"');
    // The second line is at 4 s, behind a leader of 8.
    expect(text).toMatch(/src="narration\.wav" type="audio\/wave" clipBegin="12s" clipEnd="14s"/);
    // A tone of -40 dB lies far enough below the narration as it is.
    expect(text).not.toContain("<animate");
    expect(parseTtml(text).cues.map(({ start }) => start)).toEqual([1, 4]);
    const loud = join(folder, "loud.mp4");
    makeMedia(loud, [
      { graph: "testsrc2=size=160x90:rate=25:duration=8", codec: "libx264" },
      { graph: "sine=frequency=1000:sample_rate=48000:duration=8,volume=12dB", codec: "aac" },
    ]);
    expect(await dapt("--audio", voice, "--media", loud)).toMatch(
      /<animate begin="0s" end="0\.15s" tta:gain="1;[\d.;]+" fill="freeze"\/>/,
    );
    // Without the programme nobody knows its level; held, it has another clock than the narration.
    expect(await dapt("--audio", voice)).not.toContain("<animate");
    expect(await dapt("--audio", voice, "--extended")).not.toContain("<audio");
  },
);

test("an ADM file holds the programme's channels as they are, and the narration as one more", async () => {
  const { cues, folder, voice } = await prepared();
  const film = join(folder, "stereo.mov");
  makeMedia(film, [
    { graph: "testsrc2=size=160x90:rate=25:duration=8", codec: "libx264" },
    { graph: "aevalsrc='0.1*sin(1000*t)|0.2*sin(3000*t)':s=48000:d=8", codec: "pcm_s16le" },
  ]);
  const out = join(folder, "out");
  const call = [
    "deliver",
    cues,
    "--out",
    out,
    "--audio",
    voice,
    "--start",
    "01:00:00:00",
    "--adm",
    "--two-pop",
    "--json",
  ];
  const { stdout, code } = await asideHere([...call, "--media", film]);
  expect(code).toBe(0);
  expect(JSON.parse(stdout).files.map(({ name }: { name: string }) => name)).toContain("adm.wav");
  const { layout, length, planes, bytes } = await readSoundFile(join(out, "adm.wav"));
  expect(layout.format).toMatchObject({ channels: 3, sampleRate: 48_000, bits: 24 });
  // Without a leader: the definition's times are the programme's.
  expect([length, layout.broadcast?.timeReferenceSamples]).toEqual([8 * 48_000, 3600 * 48_000]);
  const [left = [], right = [], spoken = new Float32Array()] = planes;
  for (const at of [1_000, 200_003]) {
    expect(left[at]).toBeCloseTo(0.1 * Math.sin((1000 * at) / 48_000), 3);
    expect(right[at]).toBeCloseTo(0.2 * Math.sin((3000 * at) / 48_000), 3);
  }
  expect(rmsDbfs(spoken.subarray(2 * 48_000, 2.5 * 48_000))).toBeCloseTo(-17, 0);
  expect(rmsDbfs(spoken.subarray(7 * 48_000))).toBeLessThan(-90);
  expect(chunkOf(bytes, "axml").toString("utf8")).toContain('audioProgrammeName="cues, with audio description"');
  for (const wrong of [[], ["--media", film, "--extended"]])
    expect((await asideHere([...call, ...wrong])).code).toBe(2);
});

test("the manifest tells what the service wrote from what the editor changed, by the report beside the cues", async () => {
  const { cues, folder } = await prepared();
  const written = [
    { id: "a", start: 1, end: 3, text: "A woman sits." },
    { id: "b", start: 4, end: 6, text: "She rises." },
    { id: "c", start: 7, end: 8, text: "The end." },
  ];
  const report = {
    generator: "aside",
    cues: written,
    settings: { voice: "Kore" },
    service_report: { describer: "vision" },
  };
  await writeFile(join(folder, "report.json"), JSON.stringify(report));
  const { stdout } = await asideHere(["deliver", cues, "--out", join(folder, "out"), "--json"]);
  expect(JSON.parse(stdout)).toMatchObject({
    history: { describer: "vision", counts: { "as-written": 1, edited: 1, added: 0, deleted: 1 } },
    settings: { voice: "Kore" },
    disclosure: "The narration was made with a synthetic voice (Kore).",
    signed_off: null,
  });
});

test("a timeline with its record is delivered on the programme's clock, and its sign-off counts until words change", async () => {
  const folder = await temporaryFolder();
  const cues = [
    { id: "cue-0001", start: 1.01, end: 3, text: "A woman sits." },
    { id: "cue-0002", start: 4, end: 6, text: "She stands." },
  ];
  const signedAt = "2026-05-01T10:00:00.000Z";
  const settings = { ...DEFAULT_SETTINGS, voice: "Charon" };
  const range = { offsetSeconds: 10, durationSeconds: 20 };
  const record = writeRecord(placedResult(cues, { settings, ...range, signOff: signOff(cues, "Kim", signedAt) }));
  await writeFile(join(folder, "harbour.record.txt"), record);
  const deliver = async (words: string) => {
    const markers = cues.map(({ id, start, end, text }) => {
      const frame = Math.round(start * 25) / 25;
      const comment = markerComment(id, id === "cue-0002" ? words : text);
      return { start: 10 + frame, end: 10 + Math.round(end * 25) / 25, name: "AD", comment };
    });
    await writeFile(join(folder, "cut.otio"), writeOtio(madeTimeline([], { markers })));
    const call = ["deliver", join(folder, "cut.otio"), "--record", join(folder, "harbour.record.txt")];
    return JSON.parse((await asideHere([...call, "--out", join(folder, "out"), "--json"])).stdout);
  };
  expect(await deliver("She stands.")).toMatchObject({
    start_timecode: "01:00:10:00",
    signed_off: { name: "Kim", at: signedAt, state: "valid" },
    history: { counts: { "as-written": 2 } },
  });
  const { cues: delivered } = parseWebVtt(await readFile(join(folder, "out", "descriptions.vtt"), "utf8"));
  expect(delivered.map(({ start }) => start)).toEqual([1.01, 4]);
  expect(await deliver("She leaves.")).toMatchObject({
    signed_off: { state: "void" },
    history: { counts: { edited: 1 } },
  });
});

test("cues without a rate take that of the programme", async () => {
  const { cues, folder, film } = await prepared();
  const ntsc = join(folder, "ntsc.mp4");
  makeMedia(ntsc, [{ graph: "testsrc2=size=160x90:rate=30000/1001:duration=8", codec: "libx264" }]);
  const rateBy = async (...more: string[]) =>
    JSON.parse((await asideHere(["deliver", cues, "--out", join(folder, "out"), "--json", ...more])).stdout).frame_rate;
  expect(await rateBy("--media", ntsc)).toBe("30000/1001");
  expect(await rateBy("--media", film, "--rate", "24")).toBe("24/1");
  expect(await rateBy()).toBe("25/1");
});
