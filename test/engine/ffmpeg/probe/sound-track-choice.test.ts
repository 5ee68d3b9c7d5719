import { join } from "node:path";
import { AV_DISPOSITION_DEFAULT } from "node-av/constants";
import { beforeAll, describe, expect, test } from "vitest";
import { askedSound, soundCandidates } from "../../../../src/engine/ffmpeg/probe/sound-track-choice.ts";
import { type MadeStream, makeMedia } from "../../../made-media.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";

let folder = "";
let count = 0;
beforeAll(async () => {
  folder = await temporaryFolder();
});

/** A tenth of a second of sound that says of itself what it is. */
function sound(metadata: Readonly<Record<string, string>> = {}, more: Partial<MadeStream> = {}): MadeStream {
  const graph = "sine=sample_rate=48000:duration=0.1,aformat=channel_layouts=stereo";
  // Else the first track is marked as the usual one.
  return { graph, codec: "pcm_s16le", metadata, disposition: 0, ...more };
}
const channel = (metadata: Readonly<Record<string, string>> = {}, more: Partial<MadeStream> = {}) =>
  sound(metadata, { graph: "sine=sample_rate=48000:duration=0.1,aformat=channel_layouts=mono", ...more });
const usual = { disposition: AV_DISPOSITION_DEFAULT };

function file(sounds: readonly MadeStream[], ending = "mkv"): string {
  const path = join(folder, `${++count}.${ending}`);
  makeMedia(path, sounds);
  return path;
}

describe("the sound track that somebody asks for", () => {
  const found = async (sounds: readonly MadeStream[], asked: string) => {
    const answer = await askedSound(file(sounds), asked);
    return answer.kind === "found" ? answer.tracks : answer.message;
  };

  test("is found by its number, however it is written about, and none where there is no such number", async () => {
    const three = [sound(), sound(), sound()];
    expect(await found(three, "2")).toEqual([2]);
    expect(await found(three, " 3 ")).toEqual([3]);
    for (const asked of ["0", "4", "-1", "1.5"]) expect(await found(three, asked)).toContain("It has 1; 2; 3. Choose");
  });

  test("is found by its language, by its title before a part of one, and its language before either", async () => {
    const titled = [
      sound({ language: "fre", title: "German mix, first" }),
      sound({ language: "fre", title: "German mix" }),
      sound({ language: "ger", title: "Other" }),
    ];
    expect(await found(titled, "German")).toEqual([3]);
    expect(await found(titled, "de-AT")).toEqual([3]);
    expect(await found(titled, "german MIX")).toEqual([2]);
    expect(await found(titled, "mix, f")).toEqual([1]);
    expect(await found([sound({ language: "und" }), sound()], "und")).toContain("has no sound track");
  });

  test("is the film's own of several, and the usual one of those", async () => {
    const commentary = { language: "eng", title: "Commentary" };
    const english = { language: "eng" };
    expect(await found([sound(commentary), sound(english), sound(english)], "en")).toEqual([2]);
    expect(await found([sound(commentary, usual), sound(english), sound(english, usual)], "en")).toEqual([3]);
    // Where nothing else answers to it, it may be what is not the film's own.
    expect(await found([sound({ language: "fre" }), sound(commentary)], "en")).toEqual([2]);
  });

  test("comes with the channels that stand beside it, and those of another language do not", async () => {
    const [left, right, other] = [
      channel({ language: "eng" }),
      channel({ language: "eng" }),
      channel({ language: "fre" }),
    ];
    expect(await found([other, left, right], "en")).toEqual([2, 3]);
    expect(await found([left, right, other], "fr")).toEqual([3]);
    // A number is the one track.
    expect(await found([left, right, other], "2")).toEqual([2]);
  });

  test("is told of where a file has none", async () => {
    const silent: MadeStream = { graph: "color=size=32x32:rate=25:duration=0.2", codec: "mpeg4" };
    expect(await found([silent], "1")).toMatch(/has no sound track "1": it has no sound\.$/);
  });
});

describe("sounds that may be a film's own", () => {
  test("are each of them, that which is the usual one first", async () => {
    expect(await soundCandidates(file([sound(), sound(), sound()]))).toEqual([[1], [2], [3]]);
    expect(await soundCandidates(file([sound(), sound(), sound({}, usual)]))).toEqual([[3], [1], [2]]);
  });

  test("are none that say they are something else, unless there is nothing else", async () => {
    const commentary = sound({ title: "Commentary" });
    expect(await soundCandidates(file([commentary, sound(), commentary, sound()]))).toEqual([[2], [4]]);
    expect(await soundCandidates(file([commentary, commentary]))).toEqual([[1]]);
  });

  test("are pairs of channels that lie beside each other, and what is left alone", async () => {
    const pairs = await soundCandidates(
      file([channel(), channel(), channel(), channel(), channel(), channel(), channel()]),
    );
    // Six and more are 5.1 as the file points to it; what follows is a sound of its own.
    expect(pairs).toEqual([[1, 2, 3, 4, 5, 6], [7]]);
    const [english, french] = [{ language: "eng" }, { language: "fre" }];
    const languages = [
      channel(english),
      channel(english),
      channel(french),
      channel(french),
      channel({ language: "ger" }),
    ];
    expect(await soundCandidates(file(languages))).toEqual([[1, 2], [3, 4], [5]]);
    // Of another rate it is no other half.
    const slow = channel(french, { graph: "sine=sample_rate=44100:duration=0.1,aformat=channel_layouts=mono" });
    expect(await soundCandidates(file([channel(english), channel(french), slow]))).toEqual([[1], [2], [3]]);
  });

  test("are none in a file without sound", async () => {
    expect(await soundCandidates(file([{ graph: "color=size=32x32:rate=25:duration=0.2", codec: "mpeg4" }]))).toEqual(
      [],
    );
  });
});
