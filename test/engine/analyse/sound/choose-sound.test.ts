import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { AV_DISPOSITION_DEFAULT } from "node-av/constants";
import { beforeAll, describe, expect, test } from "vitest";
import { detectSpeech } from "../../../../src/engine/analyse/sound/analyse-sound.ts";
import { chooseSound, probeProgramme } from "../../../../src/engine/analyse/sound/choose-sound.ts";
import { addDescription } from "../../../../src/engine/ffmpeg/render-movie.ts";
import { JobFailure } from "../../../../src/engine/isolate/job-failure.ts";
import { measureSound } from "../../../../src/engine/measure/measure-sound.ts";
import { programmeSound } from "../../../../src/engine/mix/programme-sound.ts";
import { asideHere } from "../../../cli/run-aside.ts";
import { type MadeStream, makeMedia } from "../../../made-media.ts";
import { tracksOf } from "../../../service/movie-facts.ts";
import { sharedMedia } from "../../../shared-media.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { IS_THOROUGH, thoroughTest } from "../../../thorough/thorough-test.ts";
import { readSoundFile } from "../../mix/sound-files.ts";
import { rmsDbfs } from "../../mix/tones.ts";

let folder = "";
beforeAll(async () => {
  folder = await temporaryFolder();
});

const SIGNAL = new AbortController().signal;
const SECONDS = 16;

const PICTURE: MadeStream = {
  graph: `testsrc2=size=64x64:rate=25:duration=${SECONDS}`,
  codec: "libx264",
  options: { preset: "ultrafast" },
};

const DIALOGUE_FILE = sharedMedia("constructed/placed-speech-silence.mp4").replaceAll("\\", "/").replaceAll(":", "\\:");
const DIALOGUE: MadeStream = {
  graph: `amovie='${DIALOGUE_FILE}',atrim=0:${SECONDS},aresample=48000,pan=mono|c0=c0`,
  codec: "aac",
};
const MUSIC: MadeStream = { graph: `sine=frequency=300:sample_rate=48000:duration=${SECONDS}`, codec: "aac" };
const SILENCE: MadeStream = { graph: `anullsrc=r=48000:cl=mono,atrim=0:${SECONDS}`, codec: "aac" };

let made = 0;
function film(sounds: readonly MadeStream[], ending = "mkv"): string {
  const path = join(folder, `film-${++made}.${ending}`);
  const marked = sounds.map((sound, index) => ({ ...sound, disposition: index === 0 ? AV_DISPOSITION_DEFAULT : 0 }));
  makeMedia(path, [PICTURE, ...marked]);
  return path;
}

/** A track as a file states it. */
function stated(sound: MadeStream, language: string, title?: string): MadeStream {
  return { ...sound, metadata: { language, ...(title === undefined ? {} : { title }) } };
}

const FEWER_SOUNDS: (readonly [string, readonly MadeStream[], readonly number[]])[] = [
  ["music first", [MUSIC, DIALOGUE], [2]],
  ["silence first", [SILENCE, DIALOGUE], [2]],
  ["dialogue in two", [MUSIC, DIALOGUE, DIALOGUE], [2]],
];

describe("of several sounds that say nothing of themselves", () => {
  thoroughTest.each<readonly [string, readonly MadeStream[], readonly number[]]>([
    ["music and silence first, and dialogue in two", [MUSIC, SILENCE, DIALOGUE, DIALOGUE], [3]],
    ...FEWER_SOUNDS,
  ])("the first with speech is the dialogue: %s", async (_, sounds, tracks) => {
    const path = film(sounds);
    expect(await chooseSound(path, undefined)).toEqual({ tracks, basis: "heard" });
    const { soundChoice } = await probeProgramme(path, undefined);
    expect(soundChoice).toContain(`track ${tracks[0]} was taken for the film's own: speech was found there; left out:`);
  });

  test.each([
    ["somebody speaks there", [DIALOGUE, DIALOGUE]],
    ["nobody speaks in any", [MUSIC, SILENCE]],
    ["there is no other", [SILENCE]],
    ["the other says that it is a commentary", [MUSIC, stated(DIALOGUE, "eng", "Director's commentary")]],
  ] as const)("the one that the file points to stays where %s", async (_, sounds) => {
    const path = film(sounds);
    expect(await chooseSound(path, undefined)).toBeNull();
    expect((await probeProgramme(path, undefined)).sound?.tracks).toEqual([1]);
  });

  thoroughTest("channels that stand in tracks of their own are taken as pairs", async () => {
    const pcm = (sound: MadeStream): MadeStream => ({ ...sound, codec: "pcm_s16le" });
    const silent = Array.from({ length: 6 }, () => pcm(SILENCE));
    const path = film([...silent, pcm(DIALOGUE), pcm(DIALOGUE)], "mov");
    expect(await chooseSound(path, undefined)).toEqual({ tracks: [7, 8], basis: "heard" });
    expect((await probeProgramme(path, undefined)).sound).toMatchObject({ channels: 2, layout: "stereo" });
  });
});

describe("a person's choice", () => {
  let named = "";
  beforeAll(() => {
    named = film([
      stated(MUSIC, "ger", "Musik"),
      stated(MUSIC, "fre", "Stereo mix"),
      stated(SILENCE, "eng", "Commentary"),
      stated(DIALOGUE, "eng", "5.1 mix"),
    ]);
  });

  test.each([
    ["1", [1]],
    ["3", [3]],
    ["fr", [2]],
    ["fra", [2]],
    ["French", [2]],
    ["de-DE", [1]],
    ["eng", [4]],
    ["commentary", [3]],
    ["Stereo", [2]],
    ["5.1 MIX", [4]],
  ])("%s is found by number, language or title", async (asked, expected) => {
    expect(await chooseSound(named, asked)).toEqual({ tracks: expected, basis: "asked" });
    expect((await probeProgramme(named, asked)).soundChoice).toContain("taken for the film's own, as asked; left out:");
  });

  test.each(["0", "5", "ita", "Director", "", " "])(
    "“%s” is refused, with the tracks that there are",
    async (asked) => {
      const refusal = await chooseSound(named, asked).catch((error: unknown) => error);
      expect(refusal).toBeInstanceOf(JobFailure);
      expect(refusal).toMatchObject({
        message: expect.stringMatching(
          /It has 1 \(ger, “Musik”\); 2 \(fre, .*4 \(eng, “5.1 mix”\)\. Choose one by its/,
        ),
      });
    },
  );

  test("is refused by the command line before anything is sent, as a mistake in the call", async () => {
    const cues = join(folder, "cues.vtt");
    await writeFile(cues, "WEBVTT\n\n00:10.000 --> 00:14.000\nA door.\n");
    const out = join(folder, "refused");
    const describing = ["describe", named, "--out", out];
    const others = [
      ["gaps", named],
      ["check", cues, "--media", named],
      ["deliver", cues, "--media", named, "--out", out],
    ];
    for (const command of [describing, ...(IS_THOROUGH ? others : [])]) {
      const { code, stderr } = await asideHere([...command, "--audio-track", "Director"]);
      expect(code, command[0]).toBe(2);
      expect(stderr).toContain('has no sound track "Director" that can be heard. It has 1 (ger, “Musik”)');
    }
  });
});

describe("the track that was chosen is the one", () => {
  const LOW: MadeStream = {
    graph: `sine=frequency=200:sample_rate=48000:duration=${SECONDS},volume=-12dB`,
    codec: "aac",
  };

  thoroughTest("that is heard, measured and mixed, whether it was asked for or found", async () => {
    const path = film([LOW, DIALOGUE]);
    const own = film([DIALOGUE]);
    for (const audioTrack of [undefined, ...(IS_THOROUGH ? ["2"] : [])]) {
      const order = { path, ...(audioTrack === undefined ? {} : { audioTrack }) };
      const heard = (await detectSpeech(order, SIGNAL)).heard;
      expect(heard).toEqual((await detectSpeech({ path: own }, SIGNAL)).heard);
      const { levels } = await measureSound({ ...order, listens: false }, SIGNAL);
      expect(levels).toEqual((await measureSound({ path: own, listens: false }, SIGNAL)).levels);
      const mixed = await samples(path, audioTrack);
      expect(mixed).toEqual(await samples(own, undefined));
    }
    const first = await detectSpeech({ path, audioTrack: "1" }, SIGNAL);
    expect(first.heard?.speech).toEqual([]);
  });

  thoroughTest("that a job mixes with its narration, and a delivery puts beside it", async () => {
    const path = film([stated(LOW, "eng"), stated({ ...LOW, graph: LOW.graph.replace("200", "3000") }, "fra")], "mp4");
    const [script, out] = [join(folder, "script.vtt"), join(folder, "out")];
    await writeFile(script, "WEBVTT\n\n00:10.000 --> 00:14.000\nA door.\n");
    const given = ["--script", script, "--data", join(folder, "data"), "--track", "mixed", "--out", out];
    expect(await asideHere(["describe", path, ...given, "--audio-track", "fra"])).toMatchObject({ code: 0 });
    const { planes } = await readSoundFile(join(out, "mixed.wav"));
    const plane = (planes[0] ?? new Float32Array()).subarray(48_000, 4 * 48_000);
    expect(rmsDbfs(plane)).toBeGreaterThan(-40);
    expect(crossings(plane) / 3).toBeCloseTo(2 * 3000, -2);

    const video = join(folder, "described.mp4");
    const mix = join(out, "mixed.wav");
    const order = { source: path, path: video, mixedPath: mix, narrationPath: mix, language: "eng", captions: [] };
    await addDescription(order, await probeProgramme(path, "fra"), { signal: SIGNAL, onProgress: () => {} });
    const sounds = (await tracksOf(video)).filter(({ kind }) => kind === "sound");
    expect(sounds.map(({ language }) => language)).toEqual(["eng", "fra", "eng"]);
  });
});

/** The whole sound that a mix reads of a file. */
async function samples(path: string, audioTrack: string | undefined): Promise<number[]> {
  const probe = await probeProgramme(path, audioTrack);
  const heard: number[] = [];
  for await (const [plane] of programmeSound(path, probe, SECONDS)?.read() ?? []) {
    for (let at = 0; at < (plane?.length ?? 0); at += 100) heard.push(plane?.[at] ?? 0);
  }
  return heard;
}

function crossings(samples: Float32Array): number {
  return samples.reduce(
    (count, sample, at) => count + (at > 0 && sample >= 0 !== (samples[at - 1] ?? 0) >= 0 ? 1 : 0),
    0,
  );
}
