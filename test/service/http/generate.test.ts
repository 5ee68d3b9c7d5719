import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  DIRECT_UPLOAD_MAX_BYTES,
  FLAT_VIDEO_CATEGORIES,
  LANGUAGES,
  LISTED_LANGUAGES,
  TEXT_FORMATS,
  VIDEO_CATEGORIES,
  VOICES,
} from "../../../src/contract/choices.ts";
import { soundOnlyClip, uniqueClip } from "../clips.ts";
import { finished, form, type Reply, send, startTestService, type TestService } from "../service-fixture.ts";

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const UNKNOWN = "5fa6a3d1-6ef1-4f0b-8a63-3fb2a6d4c5b1";

let service: TestService;
let mediaId = "";
/** Accepts jobs and runs none, so that hundreds of submissions cost nothing. */
let held: TestService;
let heldMediaId = "";
beforeAll(async () => {
  service = await startTestService();
  held = await startTestService({ plans: { default: { queued_jobs: 10_000 } } }, { worksOnJobs: false });
  mediaId = (await service.send("POST", "upload_media", form(await uniqueClip()))).body.media_id;
  heldMediaId = (await held.send("POST", "upload_media", form(await uniqueClip()))).body.media_id;
});
afterAll(async () => {
  await service.close();
  await held.close();
});

const flat = (body: object) => held.send("POST", "generate_ad_text", { media_id: heldMediaId, ...body });
const nested = (kind: string, generation_config?: unknown) =>
  held.send("POST", `generate_ad_${kind}`, { input: { type: "media_id", media_id: heldMediaId }, generation_config });

/** What a job of the running service was asked to do, after it is done. */
async function orderOf(reply: Reply): Promise<{ settings: Record<string, unknown>; track: string; kind: string }> {
  expect(reply.status).toBe(200);
  const result = await finished(service, reply.body.job_id);
  expect(result.status).toBe("done");
  return JSON.parse(result.output.content);
}

function expectRefusal(reply: Reply, name: string): void {
  expect(reply.status).toBe(400);
  expect(reply.body).toEqual({ error: "invalid_input", message: expect.stringContaining(name) });
}

describe("text, flat form", () => {
  test("TEXT-01 STATE-01: answers with job, state and media", async () => {
    const reply = await flat({});
    expect(reply.status).toBe(200);
    expect(reply.body).toEqual({
      job_id: expect.stringMatching(UUID),
      status: "queued",
      media_id: heldMediaId,
    });
  });

  test("TEXT-03 TEXT-08: runs with the flat form's defaults and makes text only", async () => {
    const reply = await service.send("POST", "generate_ad_text", { media_id: mediaId });
    const { settings, kind } = await orderOf(reply);
    expect(kind).toBe("text");
    expect(settings).toMatchObject({
      format: "json",
      language: "en-US",
      category: "Auto",
      type: "extended",
      instructions: "",
    });
    const { body } = await service.send("GET", `get_results?job_id=${reply.body.job_id}`);
    expect(body).not.toHaveProperty("audio_signed_url");
    expect(body).not.toHaveProperty("video_signed_url");
  });

  test("TEXT-02: refuses a missing or senseless media id", async () => {
    expectRefusal(await held.send("POST", "generate_ad_text", {}), '"media_id" is required');
    expectRefusal(await held.send("POST", "generate_ad_text", { media_id: "abc" }), '"media_id" must be a UUID');
    expectRefusal(await held.send("POST", "generate_ad_text", []), "The request body must be an object");
    expectRefusal(await held.send("POST", "generate_ad_text", undefined), "The request body is missing");
  });

  test("TEXT-04 OPEN-32: takes json, vtt and edl, not srt", async () => {
    for (const format of ["json", "vtt", "edl"]) expect((await flat({ format })).status).toBe(200);
    for (const format of ["srt", "txt", "VTT", 5]) expectRefusal(await flat({ format }), '"format" must be one of');
  });

  test("TEXT-05: takes the 12 categories and none of the nested form's own", async () => {
    expect(FLAT_VIDEO_CATEGORIES).toHaveLength(12);
    for (const video_category of FLAT_VIDEO_CATEGORIES) expect((await flat({ video_category })).status).toBe(200);
    for (const video_category of ["Educational Kids", "Government Meeting", "Sports"]) {
      expectRefusal(await flat({ video_category }), '"video_category"');
    }
  });

  test("TEXT-06: takes both kinds of description", async () => {
    for (const ad_type of ["extended_ad", "standard_ad"]) {
      const { settings } = await orderOf(
        await service.send("POST", "generate_ad_text", { media_id: mediaId, ad_type }),
      );
      expect(settings["type"]).toBe(ad_type.replace("_ad", ""));
    }
    expectRefusal(await flat({ ad_type: "ad" }), '"ad_type"');
  });

  test("TEXT-07: takes instructions or none", async () => {
    expect((await flat({ custom_instructions: "Call her Ada." })).status).toBe(200);
    expectRefusal(await flat({ custom_instructions: 5 }), '"custom_instructions" must be a string');
    const most = "é".repeat(10_000);
    expect((await flat({ custom_instructions: most })).status).toBe(200);
    expectRefusal(await flat({ custom_instructions: `${most}.` }), "must have at most 10000 characters, and has 10001");
  });

  test("LANG-01 LANG-02 OPEN-04: takes the 38 listed languages and the 15 more, and no other", async () => {
    expect(LISTED_LANGUAGES).toHaveLength(38);
    expect(new Set(LANGUAGES).size).toBe(53);
    for (const language of LANGUAGES) expect((await flat({ language })).status).toBe(200);
    for (const language of ["xx-QQ", "en-us", ""]) expectRefusal(await flat({ language }), '"language"');
  });

  test("OPEN-24: names fields that the flat form does not have", async () => {
    const { body } = await flat({ voice: "Achernar", auto_fit: false, nonsense: { deep: 1 } });
    expect(body.ignored).toEqual(["voice", "auto_fit", "nonsense"]);
  });

  test("ERR-09 OPEN-30: unknown media, and another team's, is 404", async () => {
    const { key } = await held.app.administration.createKey({ team: "neighbours" });
    const requests: readonly [string, (id: string) => object][] = [
      ["generate_ad_text", (id) => ({ media_id: id })],
      ["generate_ad_text", (id) => ({ input: { type: "media_id", media_id: id } })],
      ["generate_ad_audio", (id) => ({ input: { type: "media_id", media_id: id } })],
    ];
    for (const [path, body] of requests) {
      for (const reply of [
        await held.send("POST", path, body(UNKNOWN)),
        await send(held.app, key, "POST", path, body(heldMediaId)),
      ]) {
        expect(reply.status).toBe(404);
        expect(reply.body).toEqual({ error: "not_found", message: expect.any(String) });
      }
    }
  });
});

describe("nested form", () => {
  test.each(["text", "audio", "video"])(
    "VIDEO-02 VIDEO-03 VIDEO-04 VIDEO-06 AUDIO-01: %s refuses a wrong input by name",
    async (kind) => {
      const path = `generate_ad_${kind}`;
      for (const [body, name] of [
        [{ generation_config: {} }, '"input" is required'],
        [{ input: "media" }, '"input" must be an object'],
        [{ input: {} }, '"input.type" is required'],
        [{ input: { type: "file" } }, '"input.type"'],
        [{ input: { type: "x" } }, '"input.type"'],
        [{ input: { type: "media_id" } }, '"input.media_id"'],
        [{ input: { type: "media_id", media_id: "abc" } }, '"input.media_id"'],
        [{ input: { type: "url" } }, '"input.url"'],
        [{ input: { type: "url", url: "abc" } }, '"input.url"'],
        [{ input: { type: "media_id", media_id: heldMediaId, filename: 5 } }, '"input.filename"'],
      ] as const) {
        expectRefusal(await held.send("POST", path, body), name);
      }
      const named = { type: "media_id", media_id: heldMediaId, filename: "film.mp4" };
      expect((await held.send("POST", path, { input: named })).body).not.toHaveProperty("ignored");
    },
  );

  test("GEN-01 GEN-03 GEN-06 GEN-08 GEN-10 GEN-15 GEN-20 GEN-24 GEN-28 GEN-51 OPEN-11: audio runs with the interface's defaults", async () => {
    const { settings, track, kind } = await orderOf(
      await service.send("POST", "generate_ad_audio", { input: { type: "media_id", media_id: mediaId } }),
    );
    expect(kind).toBe("audio");
    expect(track).toBe("mixed");
    expect(settings).toEqual({
      format: "vtt",
      language: "en-US",
      category: "Auto",
      type: "standard",
      instructions: "",
      readsAllOnscreenText: false,
      autoFit: true,
      allowsOverMusic: true,
      minimumCueSeconds: 0.75,
      voice: "Achernar",
    });
  });

  test("VIDEO-01 GEN-01 GEN-03 GEN-06 GEN-08 GEN-10 GEN-13 GEN-17: video runs with the interface's defaults", async () => {
    const reply = await service.send("POST", "generate_ad_video", { input: { type: "media_id", media_id: mediaId } });
    expect(reply.body).toEqual({ job_id: expect.stringMatching(UUID), status: "queued", media_id: mediaId });
    const { settings, kind } = await orderOf(reply);
    expect(kind).toBe("video");
    expect(settings).toEqual({
      format: "vtt",
      language: "en-US",
      category: "Auto",
      type: "extended",
      instructions: "",
      readsAllOnscreenText: false,
      autoFit: true,
      allowsOverMusic: true,
      minimumCueSeconds: 0.75,
      voice: "Achernar",
    });
    const track = await nested("video", { audio_track_type: "ad_only" });
    expect(track.body.ignored).toEqual(["generation_config.audio_track_type"]);
  });

  test("OPEN-11 OPEN-12: text runs with every setting it was given", async () => {
    const { settings } = await orderOf(
      await service.send("POST", "generate_ad_text", {
        input: { type: "media_id", media_id: mediaId },
        generation_config: {
          format: "srt",
          language: "fr-CA",
          video_category: "Government Meeting",
          ad_type: "standard_ad",
          custom_instructions: "Call her Ada.",
          auto_fit: false,
          allow_descriptions_over_music: false,
          standard_ad_min_cue_length: 2,
          custom_captions: { content: "WEBVTT\n\n00:00.000 --> 00:01.000\nHello\n", format: "vtt", filename: "a.vtt" },
        },
      }),
    );
    expect(settings).toMatchObject({
      format: "srt",
      language: "fr-CA",
      category: "Government Meeting",
      type: "standard",
      instructions: "Call her Ada.",
      autoFit: false,
      allowsOverMusic: false,
      minimumCueSeconds: 2,
      captions: { content: expect.stringContaining("WEBVTT"), format: "vtt", filename: "a.vtt" },
    });
  });

  test("AUDIO-05 GEN-16 GEN-44: audio runs with every setting it was given", async () => {
    const { settings, track } = await orderOf(
      await service.send("POST", "generate_ad_audio", {
        input: { type: "media_id", media_id: mediaId },
        generation_config: {
          format: "edl",
          language: "de-DE",
          video_category: "News",
          voice: "Puck",
          ad_type: "standard_ad",
          custom_instructions: "Sie heißt Ada.",
          auto_fit: true,
          allow_descriptions_over_music: false,
          standard_ad_min_cue_length: 1.5,
          volume_option: "max",
          volume_level_db: -6,
          audio_track_type: "ad_only",
          description_content: "00:00:01.000 A door opens.",
        },
      }),
    );
    expect(track).toBe("ad_only");
    expect(settings).toMatchObject({
      format: "edl",
      language: "de-DE",
      voice: "Puck",
      volume: { option: "max", levelDbfs: -6 },
      script: "00:00:01.000 A door opens.",
      allowsOverMusic: false,
      minimumCueSeconds: 1.5,
    });
  });

  const CONFIG_CASES: readonly (readonly [string, Record<string, unknown>, readonly unknown[], readonly unknown[]])[] =
    [
      ["GEN-04", { format: 0 }, TEXT_FORMATS, ["txt", 5, null]],
      ["GEN-07", { language: 0 }, LANGUAGES, ["xx-QQ", 5]],
      ["GEN-09", { video_category: 0 }, VIDEO_CATEGORIES, ["Sports", ""]],
      ["GEN-15", { custom_instructions: 0 }, ["", "text"], [5, null]],
      ["GEN-20", { auto_fit: 0 }, [true, false], [1, "true"]],
      ["GEN-24", { allow_descriptions_over_music: 0 }, [true, false], ["no"]],
      ["GEN-29 GEN-30", { standard_ad_min_cue_length: 0 }, [0.75, 1.5, 5], [0.74, 5.01, "1.5", null]],
      [
        "GEN-33 GEN-35",
        { custom_captions: 0 },
        [{ content: "1\n00:00:00,000 --> 00:00:01,000\nHi\n" }],
        ["x", {}, { content: 5 }],
      ],
      ["GEN-48", { description_content: 0 }, ["00:00:01.000 A door opens."], [5]],
    ];
  const SOUND_CASES: typeof CONFIG_CASES = [
    ["GEN-11 OPEN-03", { voice: 0 }, VOICES.map(({ name }) => name), ["Nobody", "achernar", "", 5]],
    ["GEN-41 GEN-42", { volume_option: 0 }, ["auto", "max"], ["loud", 5]],
    ["GEN-45 GEN-46", { volume_level_db: 0 }, [-10, -3.5, 0], [-10.1, 0.1, "-3"]],
  ];
  const AUDIO_CASES: typeof CONFIG_CASES = [
    ["GEN-52", { audio_track_type: 0 }, ["mixed", "ad_only"], ["stem", 5]],
    ["AUDIO-04 OPEN-24", { ad_type: 0 }, ["standard_ad"], ["extended_ad", "ad"]],
  ];
  const TEXT_CASES: typeof CONFIG_CASES = [
    ["GEN-14", { ad_type: 0 }, ["extended_ad", "standard_ad"], ["ad", 5]],
    ["GEN-17", { read_all_onscreen_text: 0 }, [true, false], ["yes", 1]],
  ];
  for (const [kind, cases] of [
    ["text", [...CONFIG_CASES, ...TEXT_CASES]],
    ["audio", [...CONFIG_CASES, ...SOUND_CASES, ...AUDIO_CASES]],
    ["video", [...CONFIG_CASES, ...SOUND_CASES, ...TEXT_CASES]],
  ] as const) {
    test.each(cases)(
      `%s: ${kind} takes what %j allows and refuses the rest by name`,
      async (_ids, member, good, bad) => {
        const [name = ""] = Object.keys(member);
        for (const value of good) {
          const reply = await nested(kind, { [name]: value });
          expect([value, reply.status]).toEqual([value, 200]);
        }
        for (const value of bad) expectRefusal(await nested(kind, { [name]: value }), `"generation_config.${name}`);
      },
    );
  }

  test("GEN-37 GEN-39: hints on captions are checked", async () => {
    const content = "1\n00:00:00,000 --> 00:00:01,000\nHi\n";
    for (const format of ["vtt", "srt", "plaintext"]) {
      expect((await nested("text", { custom_captions: { content, format } })).status).toBe(200);
    }
    expect((await nested("text", { custom_captions: { content, filename: "a.srt" } })).status).toBe(200);
    expectRefusal(await nested("text", { custom_captions: { content, format: "ass" } }), "custom_captions.format");
    expectRefusal(await nested("text", { custom_captions: { content, filename: 5 } }), "custom_captions.filename");
  });

  test("GEN-36 GEN-40 GEN-49 OPEN-26: captions and scripts in each layout are taken, and those without a readable cue are refused", async () => {
    const captions = [
      "WEBVTT\n\n00:01.000 --> 00:02.000\nHello\n",
      "1\n00:00:01,000 --> 00:00:02,000\nHello\n",
      "[00:01.000] Hello\n",
    ];
    const scripts = [
      ...captions,
      '[{"start_time":1,"end_time":2,"description":"A door opens."}]',
      "TITLE: AD\nFCM: NON-DROP FRAME\n\n001  AX  A  C  00:00:01:00 00:00:02:00 00:00:01:00 00:00:02:00\n* COMMENT: A door opens.\n",
    ];
    for (const content of captions) {
      expect((await nested("text", { custom_captions: { content } })).status).toBe(200);
    }
    for (const description_content of scripts) {
      expect([description_content, (await nested("audio", { description_content })).status]).toEqual([
        description_content,
        200,
      ]);
    }
    for (const content of ["", "WEBVTT\n", "no time anywhere", "\u0000\uffff"]) {
      expectRefusal(
        await nested("audio", { custom_captions: { content } }),
        '"generation_config.custom_captions.content"',
      );
    }
    expectRefusal(
      await nested("audio", { description_content: "WEBVTT\n" }),
      '"generation_config.description_content"',
    );
    expect((await nested("audio", { description_content: "" })).status).toBe(200);
  });

  test("GEN-02: a configuration is an object", async () => {
    for (const config of ["x", [], 5, null]) expectRefusal(await nested("audio", config), '"generation_config"');
  });

  test("OPEN-24 AUDIO-04: names fields that the endpoint does not have, and those without effect beside the others", async () => {
    const audio = await nested("audio", { read_all_onscreen_text: true, colour: "red", volume_level_db: -3 });
    expect(audio.body.ignored).toEqual([
      "generation_config.read_all_onscreen_text",
      "generation_config.colour",
      "generation_config.volume_level_db",
    ]);
    const text = await nested("text", { voice: "Achernar", auto_fit: false, standard_ad_min_cue_length: 2 });
    expect(text.body.ignored).toEqual([
      "generation_config.voice",
      "generation_config.auto_fit",
      "generation_config.standard_ad_min_cue_length",
    ]);
    const standard = await nested("text", { ad_type: "standard_ad", auto_fit: true, read_all_onscreen_text: true });
    expect(standard.body.ignored).toEqual(["generation_config.read_all_onscreen_text"]);
    expect((await nested("audio", { volume_option: "max", volume_level_db: -3 })).body).not.toHaveProperty("ignored");
  });

  test("several wrong parameters are all named at once", async () => {
    const reply = await nested("audio", { format: "txt", auto_fit: 1, volume_level_db: 3 });
    expectRefusal(reply, "generation_config.format");
    expectRefusal(reply, "generation_config.auto_fit");
    expectRefusal(reply, "generation_config.volume_level_db");
  });
});

describe("multipart form", () => {
  test.each(["text", "audio", "video"])(
    "BASE-05 AUDIO-01 VIDEO-07 VIDEO-08 OPEN-11 MEDIA-13: %s takes a file directly",
    async (kind) => {
      for (const generation_config of [undefined, { format: "srt", language: "en-GB" }]) {
        const data = form(await uniqueClip(), { generation_config });
        const reply = await service.send("POST", `generate_ad_${kind}`, data);
        const { settings } = await orderOf(reply);
        expect(settings).toMatchObject(generation_config ?? { format: kind === "text" ? "json" : "vtt" });
      }
    },
  );

  test.each(["text", "audio", "video"])("VIDEO-07 VIDEO-08: %s refuses missing parts and broken JSON", async (kind) => {
    const clip = await uniqueClip();
    const withoutFile = new FormData();
    withoutFile.set("input", '{"type":"file"}');
    for (const [data, name] of [
      [withoutFile, '"file"'],
      [form(clip, { input: undefined }), '"input.type"'],
      [form(clip, { input: "no json" }), '"input"'],
      [form(clip, { input: { type: "media_id", media_id: heldMediaId } }), '"input.type"'],
      [form(clip, { generation_config: "{" }), '"generation_config"'],
      [form(clip, { generation_config: [] }), '"generation_config"'],
      [form(clip, { generation_config: { format: "txt" } }), '"generation_config.format"'],
    ] as const) {
      expectRefusal(await held.send("POST", `generate_ad_${kind}`, data), name);
    }
  });

  test.each(["text", "audio", "video"])(
    "OPEN-33 OPEN-35 ERR-15: %s answers a file without picture with 415",
    async (kind) => {
      const reply = await held.send("POST", `generate_ad_${kind}`, form(await soundOnlyClip()));
      expect(reply.status).toBe(415);
      expect(reply.body.error).toBe("no_video_stream");
    },
  );

  test.each(["text", "audio", "video"])("LIM-01 OPEN-22: %s refuses more than 32 MiB", async (kind) => {
    const reply = await held.send("POST", `generate_ad_${kind}`, form(new Uint8Array(DIRECT_UPLOAD_MAX_BYTES + 1)));
    expect(reply.status).toBe(403);
    expect(reply.body.error).toBe("file_too_large");
  });
});

test("OPEN-31: every accepted request is a job of its own", async () => {
  const ids = await Promise.all(Array.from({ length: 10 }, async () => (await flat({})).body.job_id));
  expect(new Set(ids).size).toBe(10);
});
