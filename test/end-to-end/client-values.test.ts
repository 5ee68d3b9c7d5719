import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Client } from "../../src/client/client.ts";
import {
  AD_TYPES,
  FLAT_TEXT_FORMATS,
  FLAT_VIDEO_CATEGORIES,
  LANGUAGES,
  TEXT_FORMATS,
  VIDEO_CATEGORIES,
  VOICES,
} from "../../src/contract/choices.ts";
import { startTestService, type TestService } from "../service/service-fixture.ts";
import { startWebHost, type WebHost } from "../service/web-host.ts";
import { IS_THOROUGH } from "../thorough/thorough-test.ts";
import { clientOf, clipFile, refusal } from "./service-client.ts";

/** Accepts jobs and runs none. */
let service: TestService;
let client: Client;
let host: WebHost;
let mediaId: string;
let filmUrl: string;
beforeAll(async () => {
  host = await startWebHost();
  service = await startTestService(
    { url_input: { allowed_networks: ["127.0.0.0/8"], ports: null } },
    { worksOnJobs: false },
  );
  client = clientOf(service.app, service.key);
  const file = await clipFile();
  host.pages.set("/film.mp4", (_request, response) => response.end(file.bytes));
  filmUrl = `${host.url}/film.mp4`;
  mediaId = (await client.uploadMediaFile(file)).mediaId;
});
afterAll(async () => {
  await service.close();
  await host.close();
});

/** Values that no type allows, as a careless caller without types may send them. */
const untyped = (value: object) => value as never;

/** Every way to ask for a job; what is given is its configuration, or the fields of its flat form. */
const submit = {
  audio: (config: object) => client.generateAudio({ type: "media_id", media_id: mediaId }, untyped(config)),
  video: (config: object) => client.generateVideo({ type: "media_id", media_id: mediaId }, untyped(config)),
  text: (config: object) => client.generateText({ type: "media_id", media_id: mediaId }, untyped(config)),
  flatText: (fields: object) => client.generateTextFlat(untyped({ media_id: mediaId, ...fields })),
  textFromUrl: (fields: object) => client.generateTextFromUrl(untyped({ source_url: filmUrl, ...fields })),
  videoFromUrl: (fields: object) => client.generateVideoFromUrl(untyped({ source_url: filmUrl, ...fields })),
};
type Kind = keyof typeof submit;

async function expectValues(kinds: readonly Kind[], field: string, good: readonly unknown[], bad: readonly unknown[]) {
  for (const kind of kinds) {
    for (const value of good) {
      expect(await submit[kind]({ [field]: value })).toEqual({ jobId: expect.any(String), mediaId, ignored: [] });
    }
    for (const value of bad) {
      const error = await refusal(submit[kind]({ [field]: value }));
      expect(error).toMatchObject({ code: "invalid_input", status: 400, message: expect.stringContaining(field) });
    }
  }
}

const NESTED = ["audio", "video", "text"] as const;
const FROM_URL = ["textFromUrl", "videoFromUrl"] as const;

describe("every value of a list is taken, any other refused by name", () => {
  test("GEN-04 FMT-01 FMT-02 FMT-03 FMT-04 OPEN-32: format, four values nested", () =>
    expectValues(NESTED, "format", TEXT_FORMATS, ["txt", 5]));

  test("TEXT-04 FROMURL-05 OPEN-32: format, three values in the flat forms", () =>
    expectValues(["flatText", ...FROM_URL], "format", FLAT_TEXT_FORMATS, ["srt", "txt"]));

  test("GEN-07 LANG-01 LANG-02 OPEN-04: language, by its codes", async () => {
    const codes = IS_THOROUGH ? LANGUAGES : LANGUAGES.filter((_, index) => index % 8 === 0);
    await expectValues(["audio", "flatText"], "language", codes, ["xx-QQ", "en", 5]);
    await expectValues(["video", "text", ...FROM_URL], "language", ["ja-JP", "yue-HK"], ["xx-QQ"]);
  });

  test("GEN-09: video_category, 14 values nested", () =>
    expectValues(NESTED, "video_category", VIDEO_CATEGORIES, ["Sports", "news"]));

  test("TEXT-05 FROMURL-06: video_category, 12 values in the flat forms", () =>
    expectValues(["flatText", ...FROM_URL], "video_category", FLAT_VIDEO_CATEGORIES, ["Educational Kids", "Sports"]));

  test("GEN-14 TEXT-06 FROMURL-07: ad_type, two values", () =>
    expectValues(["video", "text", "flatText", ...FROM_URL], "ad_type", AD_TYPES, ["ad", 1]));

  test("AUDIO-04: audio is Standard AD only", () =>
    expectValues(["audio"], "ad_type", ["standard_ad"], ["extended_ad", "ad"]));

  test("GEN-42 FROMURL-10: volume_option, two values", () =>
    expectValues(["audio", "video", "videoFromUrl"], "volume_option", ["auto", "max"], ["loud", 1]));

  test("GEN-52: audio_track_type, two values of audio", () =>
    expectValues(["audio"], "audio_track_type", ["mixed", "ad_only"], ["stem", 1]));

  test("GEN-11 GEN-12 OPEN-03: voice, every name of the catalogue, whatever the language", async () => {
    await expectValues(
      ["audio"],
      "voice",
      VOICES.map(({ name }) => name),
      ["Nobody", 5],
    );
    expect(await submit.audio({ voice: "Narrator", language: "ja-JP" })).toMatchObject({ ignored: [] });
  });
});

describe("bounds and types are kept, what breaks them is refused by name", () => {
  test("GEN-29 GEN-30: standard_ad_min_cue_length, 0.75 to 5 s", async () => {
    await expectValues(["audio"], "standard_ad_min_cue_length", [0.75, 1.5, 5], [0.74, 5.01, "1.5", null]);
  });

  test("GEN-45 GEN-46 FROMURL-11: volume_level_db, -10 to 0, with volume_option max", async () => {
    for (const kind of ["audio", "video", "videoFromUrl"] as const) {
      const volume = (volume_level_db: unknown) => submit[kind]({ volume_option: "max", volume_level_db });
      for (const value of [-10, -3.5, 0]) expect(await volume(value)).toMatchObject({ ignored: [] });
      for (const value of [-10.1, 0.1, "-3"])
        expect(await refusal(volume(value))).toMatchObject({ code: "invalid_input" });
    }
    expect(await submit.audio({ volume_level_db: -3 })).toMatchObject({
      ignored: ["generation_config.volume_level_db"],
    });
  });

  test("GEN-20 GEN-24: auto_fit and allow_descriptions_over_music are true or false", async () => {
    await expectValues(["audio"], "auto_fit", [true, false], [1, "true"]);
    await expectValues(["audio"], "allow_descriptions_over_music", [true, false], ["no", 0]);
  });

  test("GEN-17: read_all_onscreen_text is true or false, of video", () =>
    expectValues(["video"], "read_all_onscreen_text", [true, false], ["yes"]));

  test("GEN-15 TEXT-07 FROMURL-08: custom_instructions is text of any length", async () => {
    await expectValues(
      ["audio", "video", "text", "flatText", ...FROM_URL],
      "custom_instructions",
      ["", "Be brief."],
      [7],
    );
  });

  test("GEN-48 GEN-49 OPEN-26: description_content is a script in any layout", () =>
    expectValues(
      ["audio", "video"],
      "description_content",
      ["WEBVTT\n\n00:01.000 --> 00:02.000\nA.\n", "1\n00:00:01,000 --> 00:00:02,000\nA.\n", "00:00:01.000 A."],
      [7],
    ));

  test("GEN-33 GEN-35 GEN-37 GEN-39: custom_captions hold content, and hints if wanted", () => {
    const content = "1\n00:00:01,000 --> 00:00:02,000\nA.\n";
    return expectValues(
      ["audio", "video", "text"],
      "custom_captions",
      [{ content }, { content, format: "srt" }, { content, filename: "a.srt" }],
      ["x", {}, { content: 5 }, { content, format: "ass" }, { content, filename: 7 }],
    );
  });

  test("VIDEO-02 VIDEO-03 VIDEO-04 VIDEO-05 VIDEO-06: input names known media or a public address, with a name if wanted", async () => {
    const send = (input: object) => client.generateVideo(untyped(input));
    expect(await send({ type: "media_id", media_id: mediaId, filename: "a.mp4" })).toMatchObject({ mediaId });
    expect(await send({ type: "url", url: filmUrl, filename: "a.mp4" })).toMatchObject({ mediaId });
    for (const input of [
      {},
      { type: "x" },
      { type: "media_id" },
      { type: "media_id", media_id: "abc" },
      { type: "url" },
      { type: "url", url: "abc" },
      { type: "url", url: filmUrl, filename: 5 },
    ]) {
      const error = await refusal(send(input));
      expect(error).toMatchObject({ code: "invalid_input", message: expect.stringContaining("input") });
    }
  });

  test("TEXT-02: the flat form needs the id of known media", async () => {
    expect(await refusal(client.generateTextFlat(untyped({})))).toMatchObject({ code: "invalid_input" });
    expect(await refusal(client.generateTextFlat({ media_id: "abc" }))).toMatchObject({ code: "invalid_input" });
  });

  test("MEDIA-08 MEDIA-09: upload by address needs an address", async () => {
    for (const url of [undefined, 5, "abc"]) {
      expect(await refusal(client.uploadMediaByUrl(untyped(Object(url))))).toMatchObject({ code: "invalid_input" });
    }
  });
});

describe("from an address", () => {
  test.each(FROM_URL)(
    "FROMURL-01 FROMURL-02 FROMURL-03 FROMURL-04: %s needs an address, and takes a name",
    async (kind) => {
      expect(await submit[kind]({ filename: "mine.mp4" })).toMatchObject({ mediaId });
      for (const fields of [{ source_url: undefined }, { source_url: "abc" }, { filename: 7 }]) {
        expect(await refusal(submit[kind](fields))).toMatchObject({ code: "invalid_input", status: 400 });
      }
    },
  );

  test("FROMURL-09: resolution is text", () => expectValues(["videoFromUrl"], "resolution", ["Auto", "720p"], [720]));

  test("FROMURL-12 FROMURL-13: edl_content is a script, for plans that include it", async () => {
    await expectValues(["videoFromUrl"], "edl_content", ["00:00:01.000 A door opens."], [7]);
    const bare = await startTestService(
      {
        url_input: { allowed_networks: ["127.0.0.0/8"], ports: null },
        plans: { default: { without: ["custom_description"] } },
      },
      { worksOnJobs: false },
    );
    const poor = clientOf(bare.app, bare.key);
    const call = poor.generateVideoFromUrl({ source_url: filmUrl, edl_content: "00:00:01.000 A door opens." });
    expect(await refusal(call)).toMatchObject({
      code: "feature_not_available",
      status: 403,
      feature: "custom_description",
      planName: "default",
    });
    await bare.close();
  });
});
