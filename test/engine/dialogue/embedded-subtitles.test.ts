import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { chooseSubtitles, embeddedSubtitles } from "../../../src/engine/dialogue/embedded-subtitles.ts";
import type { SubtitleTrack } from "../../../src/engine/ffmpeg/decode/text-subtitles.ts";
import { sharedMedia } from "../../shared-media.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { type MadeSubtitles, matroskaOf } from "./matroska.ts";

const { signal } = new AbortController();

async function subtitlesOf(tracks: readonly MadeSubtitles[], language = "en-US") {
  const path = join(await temporaryFolder(), "made.mkv");
  await writeFile(path, matroskaOf(tracks));
  return await embeddedSubtitles(path, language, signal);
}

describe("subtitles in a file", () => {
  test("are read from an MP4 file with two tracks", async () => {
    const found = await embeddedSubtitles(sharedMedia("speech/nasa_13013.mp4"), "en-US", signal);
    expect(found?.language).toBe("eng");
    expect(found?.lines[0]?.text).toBe("NAR: This is the optical and science segment of the Webb");
    expect(found?.lines[0]?.start).toBeCloseTo(0.21, 2);
    expect(found?.lines[0]?.end).toBeCloseTo(4.26, 2);
  });

  test("are none in a file without any, and in one whose subtitles are pictures", async () => {
    expect(await embeddedSubtitles(sharedMedia("speech/friday.mp4"), "en-US", signal)).toBeNull();
    expect(await embeddedSubtitles(sharedMedia("captions-no-audio/popeye-p3.mkv"), "en-US", signal)).toBeNull();
  });

  test("of SubRip, WebVTT and SubStation Alpha give the same lines, without markup, with speakers", async () => {
    const subrip = await subtitlesOf([
      { codec: "S_TEXT/UTF8", language: "eng", entries: [[1000, 1500, "<i>Run, you</i>\nfools!"]] },
    ]);
    expect(subrip?.lines).toEqual([{ start: 1, end: 2.5, text: "Run, you fools!" }]);
    const head = "[Script Info]\nScriptType: v4.00+\n\n[Events]\nFormat: Layer, Start, End, Style, Name, Text\n";
    const alpha = await subtitlesOf([
      {
        codec: "S_TEXT/ASS",
        language: "eng",
        head,
        entries: [[1000, 1500, "0,0,Default,Gandalf,0,0,0,,{\\an8}Run, you\\Nfools!"]],
      },
    ]);
    expect(alpha?.lines).toEqual([{ start: 1, end: 2.5, text: "Run, you fools!", speaker: "Gandalf" }]);
    const webvtt = await subtitlesOf([
      { codec: "D_WEBVTT/SUBTITLES", language: "eng", entries: [[1000, 1500, "\n\n<v Gandalf>Run, you fools!"]] },
    ]);
    expect(webvtt?.lines[0]?.text).toContain("Run, you fools!");
    expect(webvtt?.lines[0]?.speaker).toBe("Gandalf");
  });

  test("are none where they tell of sounds alone", async () => {
    const sounds: MadeSubtitles = { codec: "S_TEXT/UTF8", language: "eng", entries: [[0, 900, "[door slams]"]] };
    expect(await subtitlesOf([sounds])).toBeNull();
  });

  test("of a track that is forced are passed over for those of all that is said", async () => {
    const forced: MadeSubtitles = {
      codec: "S_TEXT/UTF8",
      language: "eng",
      isForced: true,
      isDefault: true,
      entries: [[0, 900, "Keep out"]],
    };
    const whole: MadeSubtitles = {
      codec: "S_TEXT/UTF8",
      language: "eng",
      title: "SDH",
      entries: [[0, 900, "Come in."]],
    };
    expect((await subtitlesOf([forced, whole]))?.lines.map(({ text }) => text)).toEqual(["Come in."]);
    expect(await subtitlesOf([forced])).toBeNull();
  });
});

describe("the choice of a track", () => {
  const track = (index: number, more: Partial<SubtitleTrack>): SubtitleTrack => ({
    index,
    coding: "subrip",
    language: "und",
    title: "",
    isDefault: false,
    isForced: false,
    ...more,
  });

  test("goes by language in either of its codes, then by default, then by order; never to signs and songs", () => {
    const signs = track(0, { language: "ger", title: "Signs & Songs", isDefault: true });
    const english = track(1, { language: "eng" });
    const german = track(2, { language: "ger" });
    const germanDefault = track(3, { language: "deu", isDefault: true });
    expect(chooseSubtitles([signs, english, german], "de-DE")).toBe(german);
    expect(chooseSubtitles([signs, english, german, germanDefault], "de-DE")).toBe(germanDefault);
    expect(chooseSubtitles([signs, english, germanDefault], "fr-FR")).toBe(germanDefault);
    expect(chooseSubtitles([signs, english, german], "fr-FR")).toBe(english);
    expect(chooseSubtitles([signs], "de-DE")).toBeNull();
  });
});
