import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import { DeliverController } from "../../../../panel/controllers/deliver/deliver-controller.ts";
import type { PanelEnvironment } from "../../../../panel/session/environment.ts";
import { type DeliverState, firstDelivery, HAND_OFFS } from "../../../../panel/state/delivery-state.ts";
import type { PanelState } from "../../../../panel/state/panel-state.ts";
import { words } from "../../../../panel/words/words.ts";
import type { Result } from "../../../../src/result/result.ts";
import { RECORD_VERSION, type RunRecord } from "../../../../src/workflow/describe/recovery.ts";
import { json, storageError } from "../../../fakes/hosted-server.ts";
import { silentWav } from "../../../fakes/wav.ts";
import { editingPanel, NARRATION, withNarration } from "../../editing-panel.ts";
import { jobEntry } from "../../session-in-memory.ts";
import { found } from "../../views/reviewed.ts";

const FOLDER = "/delivered/Harbour complete";

/** The delivery of a result with a narration, as it is first offered; what is shown of its writing is in `shown`. */
async function delivering(
  change: Partial<DeliverState> = {},
  {
    result = {},
    state = {},
    members = {},
  }: { result?: Partial<Result>; state?: Partial<PanelState>; members?: Partial<PanelEnvironment> } = {},
) {
  const panel = editingPanel({ ...withNarration(), ...result }, state, members);
  const { session } = panel;
  const shown: string[] = [];
  const update = session.store.update.bind(session.store);
  session.store.update = (next) => {
    update(next);
    const { running = null } = session.state.delivery ?? {};
    const now = running === null ? "" : `${running.what} ${running.fraction.toFixed(2)}`;
    if (now !== (shown.at(-1) ?? "")) shown.push(now);
  };
  const deliver = new DeliverController(session, panel.connection);
  await panel.does(() => deliver.open());
  await panel.does(() => deliver.change({ goesDespite: true, ...change }));
  const filesIn = (folder: string) => {
    const paths = [...panel.files.texts.keys(), ...panel.files.bytes.keys()];
    return paths.filter((path) => path.startsWith(`${folder}/`)).map((path) => path.slice(folder.length + 1));
  };
  const bytesOf = (path: string) => panel.files.bytes.get(path) ?? Buffer.from(panel.files.texts.get(path) ?? "");
  const manifest = (folder = FOLDER) => JSON.parse(panel.files.texts.get(`${folder}/manifest.json`) ?? "{}");
  return { ...panel, deliver, shown, filesIn, bytesOf, manifest, delivers: () => panel.does(() => deliver.deliver()) };
}
type Delivering = Awaited<ReturnType<typeof delivering>>;
const message = ({ session }: Pick<Delivering, "session">) => session.state.message;
const delivery = ({ session }: Pick<Delivering, "session">) => {
  const { delivery } = session.state;
  if (delivery === null) throw new Error("no delivery");
  return delivery;
};

describe("a delivery that is offered", () => {
  test("holds everything that is there, and knows its sounds by their heads; nothing of an earlier message stays", async () => {
    const panel = await delivering({ goesDespite: false }, { state: { message: { isFault: true, text: "Before." } } });
    const { session } = panel;
    expect([session.state.view, message(panel)]).toEqual(["deliver", null]);
    expect(delivery(panel)).toMatchObject({
      runId: "run-1",
      presetName: "complete",
      title: "Harbour",
      written: null,
      running: null,
    });
    expect(delivery(panel).sounds).toEqual([
      {
        kind: "narration",
        path: "/projects/aside-harbour.wav",
        name: "aside-harbour.wav",
        format: { channels: 1, sampleRate: 48000, encoding: "integer", bits: 16, channelMask: 0 },
        durationSeconds: 60,
      },
    ]);
    expect(delivery(panel).video).toEqual({ hindrance: "noMedia", standing: "new", credits: 0 });
    expect(delivery(panel).findings).not.toBeNull();
  });

  test("stays as it was chosen for the same result, without what was written; of another result it begins anew", async () => {
    const panel = await delivering({ title: "Mine", written: { folder: "/x", names: [], findings: [] } });
    await panel.does(() => panel.deliver.open());
    expect([delivery(panel).title, delivery(panel).written]).toEqual(["Mine", null]);
    panel.session.store.set({ delivery: { ...delivery(panel), runId: "other" } });
    await panel.does(() => panel.deliver.open());
    expect([delivery(panel).title, delivery(panel).runId]).toEqual(["Harbour", "run-1"]);
  });

  test("is none where no result is open, and nothing is changed, picked or written then", async () => {
    const panel = await delivering();
    const { deliver } = panel;
    panel.session.store.set({ review: null, delivery: null, view: "describe" });
    for (const work of [
      () => deliver.open(),
      () => deliver.change({ title: "x" }),
      () => deliver.deliver(),
      () => deliver.show(),
    ])
      await panel.does(work);
    expect([panel.session.state.view, panel.session.state.delivery]).toEqual(["describe", null]);
    expect(panel.filesIn("/delivered")).toEqual([]);
  });

  test("has the narration's file as narration, a mix as mix, and what was picked in place of either; what is no WAV counts as not there", async () => {
    const mixed = await delivering({}, { result: { track: "mixed" } });
    expect(delivery(mixed).sounds.map(({ kind, name }) => [kind, name])).toEqual([["mix", "aside-harbour.wav"]]);
    const panel = await delivering();
    panel.files.bytes.set("/sounds/own.wav", silentWav(3));
    panel.files.bytes.set("/sounds/broken.wav", new Uint8Array(90));
    await panel.does(() => panel.deliver.change({ picked: { mix: "/sounds/own.wav" } }));
    expect(delivery(panel).sounds.map(({ kind, path, durationSeconds }) => [kind, path, durationSeconds])).toEqual([
      ["narration", NARRATION, 60],
      ["mix", "/sounds/own.wav", 3],
    ]);
    await panel.does(() =>
      panel.deliver.change({ picked: { narration: "/sounds/broken.wav", mix: "/sounds/gone.wav" } }),
    );
    expect(delivery(panel).sounds).toEqual([]);
  });

  test("takes the texts, the names and the video of a preset, every sound again, and nothing that was allowed before", async () => {
    const panel = await delivering({ soundKinds: [], ordersVideoAgain: true });
    const chosen = async (name: string) => {
      await panel.does(() => panel.deliver.choosePreset(name));
      const { presetName, texts, fileName, soundKinds, wantsVideo, goesDespite } = delivery(panel);
      return [presetName, texts, fileName, soundKinds, wantsVideo, goesDespite];
    };
    const sounds = ["narration", "mix"];
    expect(await chosen("web")).toEqual(["web", ["vtt", "script"], "{kind}.{language}.{ending}", sounds, true, false]);
    expect(await chosen("netflix")).toEqual([
      "netflix",
      ["vtt", "script"],
      "{title}_{language}_{kind}.{ending}",
      sounds,
      false,
      false,
    ]);
  });

  test("has a file that a person picks for a kind of sound, ticked with it; another file is refused by its name, and none changes nothing", async () => {
    const picks: ({ path: string; name: string } | null)[] = [];
    const asked: unknown[] = [];
    const pickFile = async (endings: readonly string[]) => {
      asked.push(endings);
      return picks.shift() ?? null;
    };
    const panel = await delivering({ soundKinds: ["narration"] }, { members: { pickFile } as never });
    panel.files.bytes.set("/sounds/own.wav", silentWav(3));
    panel.files.bytes.set("/sounds/words.wav", new Uint8Array(90));
    await panel.does(() => panel.deliver.pickSound("mix"));
    expect([delivery(panel).picked, message(panel)]).toEqual([{}, null]);
    picks.push({ path: "/sounds/words.wav", name: "words.wav" }, { path: "/sounds/own.wav", name: "own.wav" });
    await panel.does(() => panel.deliver.pickSound("mix"));
    expect([delivery(panel).picked, message(panel)]).toEqual([
      {},
      { isFault: true, text: words.noWave({ name: "words.wav" }) },
    ]);
    await panel.does(() => panel.deliver.pickSound("mix"));
    expect([delivery(panel).picked, delivery(panel).soundKinds]).toEqual([
      { mix: "/sounds/own.wav" },
      ["narration", "mix"],
    ]);
    expect(asked).toEqual([["wav"], ["wav"], ["wav"]]);
  });
});

describe("a delivery that is written", () => {
  test("lies in a folder of its own: the texts, the sounds, and last a manifest that tells length and hash of each", async () => {
    const panel = await delivering();
    await panel.delivers();
    const { written, running } = delivery(panel);
    expect([written?.folder, written?.names, written?.findings, running]).toEqual([
      "/delivered/Harbour complete",
      [
        "descriptions.vtt",
        "descriptions.srt",
        "descriptions.edl",
        "descriptions.csv",
        "descriptions.dapt.xml",
        "script.html",
        "narration.wav",
        "manifest.json",
      ],
      [],
      null,
    ]);
    expect(panel.files.folders).toEqual([FOLDER]);
    expect([...panel.filesIn(FOLDER)].sort()).toEqual([...(written?.names ?? [])].sort());
    const { files, checks, ...manifest } = panel.manifest();
    expect(files.map(({ name }: { name: string }) => name)).toEqual(written?.names.slice(0, -1));
    for (const { name, bytes, sha256 } of files) {
      const there = panel.bytesOf(`${FOLDER}/${name}`);
      expect([there.length, createHash("sha256").update(there).digest("hex")], name).toEqual([bytes, sha256]);
    }
    expect(files.find(({ sound }: { sound?: object }) => sound !== undefined).sound).toEqual({
      sample_rate: 48_000,
      bits_per_sample: 16,
      channels: 1,
    });
    expect([manifest.title, manifest.preset.name, checks.verdict, checks.not_checked]).toEqual([
      "Harbour",
      "complete",
      "pass",
      words.deliveryUnchecked,
    ]);
    const writing = words.deliveringSound({ name: "narration.wav" });
    expect(panel.shown).toEqual([`${words.deliveringTexts} 0.00`, `${writing} 0.73`, `${writing} 1.00`, ""]);
    expect(message(panel)).toBeNull();
  });

  test("has a number where a folder, or a file, has its name already", async () => {
    const panel = await delivering();
    for (const folder of [FOLDER, `${FOLDER} 2`]) {
      await panel.delivers();
      expect(delivery(panel).written?.folder).toBe(folder);
    }
    panel.files.texts.set(`${FOLDER} 3`, "a file");
    await panel.delivers();
    expect(delivery(panel).written?.folder).toBe(`${FOLDER} 4`);
  });

  test.each([
    ["Harbour: the film / 2", "Harbour- the film - 2 complete"],
    ["///", "- complete"],
    ["", "untitled complete"],
  ])("of a programme that is called “%s” lies in “%s”", async (title, folder) => {
    const panel = await delivering({ title, texts: ["srt"], soundKinds: [] });
    await panel.delivers();
    expect(delivery(panel).written?.folder).toBe(`/delivered/${folder}`);
  });

  test("has of its sounds every sample, however long they are, and says how far each one is", async () => {
    const panel = await delivering({ texts: [] });
    const long = silentWav(100, 1);
    for (let at = 44; at < long.length; at++) long[at] = (at * 7) % 251;
    panel.files.bytes.set(NARRATION, long);
    await panel.delivers();
    const copy = panel.bytesOf(`${FOLDER}/narration.wav`);
    expect(Buffer.from(copy).includes(Buffer.from(long.subarray(44)))).toBe(true);
    const writing = words.deliveringSound({ name: "narration.wav" });
    expect(panel.shown.slice(1, -1)).toEqual([`${writing} 0.44`, `${writing} 0.87`, `${writing} 1.00`]);
  });

  test("says by its verdict the worst that was found, and holds all of it", async () => {
    const verdict = async (findings: Result["findings"]) => {
      const panel = await delivering({ soundKinds: [] });
      panel.session.store.set({ delivery: { ...delivery(panel), findings } });
      await panel.delivers();
      const { checks } = panel.manifest();
      return [checks.verdict, checks.findings.length];
    };
    const [warned, failed] = [found("w", ["a"], { severity: "warn" }), found("f", ["b"], { severity: "fail" })];
    expect(await verdict([])).toEqual(["pass", 0]);
    expect(await verdict([warned])).toEqual(["warn", 1]);
    expect(await verdict([warned, failed])).toEqual(["fail", 2]);
  });

  test("is none where one is under way, where something stands against it, or where no folder is picked", async () => {
    const folders: string[] = [];
    const panel = await delivering(
      {},
      {
        members: {
          pickFolder: async () => {
            folders.push("asked");
            return null;
          },
        } as never,
      },
    );
    await panel.delivers();
    expect([folders.length, delivery(panel).running]).toEqual([1, null]);
    await panel.does(() => panel.deliver.change({ running: { what: "x", fraction: 0 } }));
    await panel.delivers();
    await panel.does(() => panel.deliver.change({ running: null, texts: [], soundKinds: [] }));
    await panel.delivers();
    expect([folders.length, panel.files.folders]).toEqual([1, []]);
  });

  test("that is cancelled leaves nothing, and can be written again", async () => {
    const panel = await delivering();
    panel.files.bytes.set(NARRATION, silentWav(100, 1));
    const seen = panel.session.store.update;
    panel.session.store.update = (next) => {
      seen(next);
      if ((delivery(panel).running?.fraction ?? 0) > 0.3) panel.deliver.cancel();
    };
    await panel.delivers();
    expect([panel.filesIn(FOLDER), delivery(panel).written, delivery(panel).running, message(panel)]).toEqual([
      [],
      null,
      null,
      { isFault: false, text: words.deliveryCancelled },
    ]);
    panel.session.store.update = seen;
    await panel.delivers();
    expect(delivery(panel).written?.names).toHaveLength(8);
  });

  test("that fails leaves nothing, and says why; what is there is looked at again", async () => {
    const panel = await delivering();
    panel.files.bytes.set(NARRATION, new Uint8Array(100));
    await panel.delivers();
    expect([panel.filesIn(FOLDER), delivery(panel).running, delivery(panel).sounds, message(panel)?.isFault]).toEqual([
      [],
      null,
      [],
      true,
    ]);
    expect(message(panel)?.text).toContain("is no WAV file any more");
  });
});

describe("what is handed off to other programs", () => {
  test("lies in a folder of its own in the delivery, behind the manifest; captions are on the clock of the sequence and come into the bin", async () => {
    const imported: string[] = [];
    const panel = await delivering(
      { texts: ["srt"], soundKinds: [], handOffs: HAND_OFFS },
      { result: { offsetSeconds: 10, durationSeconds: 50 } },
    );
    panel.editor.importFile = async (path) => void imported.push(path);
    await panel.delivers();
    expect(delivery(panel).written?.names).toEqual([
      "descriptions.srt",
      "manifest.json",
      "From Premiere/sequence.aaf",
      "From Premiere/sequence.otio",
      "From Premiere/sequence.xml",
      "From Premiere/captions.srt",
    ]);
    expect(panel.files.folders).toEqual([FOLDER, `${FOLDER}/From Premiere`]);
    const captions = panel.files.texts.get(`${FOLDER}/From Premiere/captions.srt`);
    expect(captions?.match(/[\d:,]+ --> [\d:,]+/g)).toEqual([
      "00:00:11,000 --> 00:00:12,500",
      "00:00:16,000 --> 00:00:17,000",
    ]);
    expect(panel.files.texts.get(`${FOLDER}/descriptions.srt`)).toContain("00:00:01,000 --> 00:00:02,500");
    for (const form of ["aaf", "otio", "xml"])
      expect(panel.files.texts.get(`${FOLDER}/From Premiere/sequence.${form}`)).toBe(form);
    expect(imported).toEqual([`${FOLDER}/From Premiere/captions.srt`]);
    const names = ["sequence.aaf", "sequence.otio", "sequence.xml", "captions.srt"];
    expect(panel.shown.slice(1, -1)).toEqual(names.map((name) => `${words.handingOff({ name })} 1.00`));
  });

  test("and was not written, or does not come into the bin, is told by its name; the rest is delivered", async () => {
    const panel = await delivering({ texts: ["srt"], soundKinds: [], handOffs: ["aaf", "otio", "captions"] });
    const { convert } = panel.editor;
    panel.editor.convert = async (order) => {
      if (order.form === "aaf") throw new Error("no AAF");
      await convert.call(panel.editor, order);
    };
    panel.editor.importFile = async () => Promise.reject(new Error("no bin"));
    await panel.delivers();
    expect(delivery(panel).written?.names).toEqual([
      "descriptions.srt",
      "manifest.json",
      "From Premiere/sequence.otio",
      "From Premiere/captions.srt",
    ]);
    expect(message(panel)?.text).toBe(words.doneWithNotices);
    expect(message(panel)?.details).toEqual([
      expect.stringMatching(/^sequence\.aaf: .*no AAF$/),
      expect.stringMatching(new RegExp(`^captions\\.srt: .*no bin ${words.captionsByHand}$`)),
    ]);
  });

  test("goes with everything else where the delivery is cancelled meanwhile", async () => {
    const panel = await delivering({ texts: ["srt"], soundKinds: [], handOffs: ["aaf", "otio"] });
    const { convert } = panel.editor;
    panel.editor.convert = async (order) => {
      await convert.call(panel.editor, order);
      if (order.form === "otio") {
        panel.deliver.cancel();
        throw new Error("stopped");
      }
    };
    await panel.delivers();
    expect([panel.filesIn(FOLDER), message(panel)?.text]).toEqual([[], words.deliveryCancelled]);
  });
});

/** The service has the programme of the result, and is to make its video. */
async function withVideo(
  change: Partial<DeliverState> = {},
  more: { result?: Partial<Result>; address?: string } = {},
) {
  const panel = await delivering({ texts: ["srt"], soundKinds: [], wantsVideo: true, ...change }, more);
  const startedAt = "2026-01-01T00:00:00.000Z";
  const exported = {
    path: "/panel/exports/a.wav",
    contentType: "audio/wav",
    sizeBytes: 1,
    durationSeconds: 60,
    offsetSeconds: 0,
    isTemporary: true,
  } as const;
  const record: RunRecord = {
    version: RECORD_VERSION,
    runId: "run-1",
    startedAt,
    name: "Harbour",
    exported,
    media: { mediaId: "media-1", isVerified: true },
  };
  await panel.does(() => panel.session.library.recovery.save(record));
  panel.server.vtt = "WEBVTT\n\n00:01.000 --> 00:02.500\nA woman sits.\n\n00:06.000 --> 00:07.000\nRain.\n";
  const { address } = more;
  if (address !== undefined) {
    const job = jobEntry({ serviceAddress: address });
    panel.session.store.update((state) =>
      state.review === null ? state : { ...state, jobs: [job], review: { ...state.review, job } },
    );
  }
  await panel.does(() => panel.deliver.change({}));
  return { ...panel, asked: () => panel.server.bodies("generateVideo"), video: () => delivery(panel).video };
}
const videoRun = ({ files }: Delivering) => {
  const path = [...files.texts.keys()].find((one) => one.includes("/runs/run-1-video-"));
  return path === undefined ? null : { path, ...JSON.parse(files.texts.get(path) ?? "") };
};

describe("a video", () => {
  test("is made of the words as they are and of the programme that the service has, and told in the manifest with its length", async () => {
    const panel = await withVideo();
    expect(panel.video()).toEqual({ hindrance: null, standing: "new", credits: 0 });
    await panel.delivers();
    expect(panel.asked()).toEqual([
      {
        input: { type: "media_id", media_id: "media-1" },
        generation_config: expect.objectContaining({
          ad_type: "standard_ad",
          voice: "Achernar",
          auto_fit: false,
          description_content: expect.stringMatching(/A woman sits\.(?:.|\n)*Rain\./),
        }),
      },
    ]);
    expect(delivery(panel).written?.names).toEqual(["described.mp4", "descriptions.srt", "manifest.json"]);
    const [, , ...more] = panel.manifest().files;
    expect([panel.manifest().files.map(({ name }: { name: string }) => name), more]).toEqual([
      ["descriptions.srt", "described.mp4"],
      [],
    ]);
    const { bytes, sha256, video } = panel.manifest().files[1];
    const there = panel.bytesOf(`${FOLDER}/described.mp4`);
    expect([bytes, sha256, video]).toEqual([
      there.length,
      createHash("sha256").update(there).digest("hex"),
      { duration_seconds: 6 },
    ]);
    expect([...new Set(panel.shown.map((one) => one.replace(/ [\d.]+$/, "")))]).toEqual([
      words.deliveringTexts,
      words.orderingVideo,
      words.makingVideo,
      words.fetchingVideo,
      words.hashingVideo,
      "",
    ]);
    expect(delivery(panel).written?.findings.map(({ rule }) => rule)).toEqual(["video-length"]);
    expect(panel.keptJob()?.videos).toEqual([videoRun(panel)?.runId]);
    expect(panel.editor.exports).toEqual([]);
  });

  test("that was ordered is fetched at the next delivery and not ordered again; of other words it is another one, and all belong to the job", async () => {
    const panel = await withVideo();
    await panel.delivers();
    expect(panel.video()?.standing).toBe("ordered");
    await panel.does(() => panel.deliver.change({}));
    await panel.delivers();
    expect([panel.asked().length, panel.video()?.standing, delivery(panel).written?.folder]).toEqual([
      1,
      "ordered",
      `${FOLDER} 2`,
    ]);
    const { review } = panel.session.state;
    if (review === null) throw new Error("no review");
    const cues = review.result.cues.map((cue) => ({ ...cue, text: `${cue.text} Still.` }));
    panel.session.store.set({ review: { ...review, result: { ...review.result, cues } } });
    await panel.does(() => panel.deliver.change({}));
    expect(panel.video()?.standing).toBe("new");
    await panel.delivers();
    expect([panel.asked().length, panel.keptJob()?.videos?.length]).toEqual([2, 2]);
  });

  test("is not offered of a person's narration, of a film cut anew, or where the service never had the programme", async () => {
    const hindrance = async (change: Partial<DeliverState>, result: Partial<Result> = {}) =>
      (await withVideo(change, { result })).video()?.hindrance;
    expect(await hindrance({ isHuman: true })).toBe("human");
    expect(await hindrance({}, { isRecut: true })).toBe("recut");
    expect(await hindrance({})).toBeNull();
    expect((await delivering()).session.state.delivery?.video?.hindrance).toBe("noMedia");
  });

  test("of which nobody knows whether it was ordered is ordered again only where that is allowed, and costs nothing on this computer", async () => {
    const address = "https://api.example.com";
    const panel = await withVideo({}, { address });
    expect((panel.video()?.credits ?? 0) > 0).toBe(true);
    panel.server.faults.generateVideo = ["break", "break", "break", "break", "break", "break"];
    await panel.delivers();
    expect(message(panel)).toMatchObject({ isFault: true, code: "submission_unknown" });
    expect([message(panel)?.text.endsWith(words.videoNotAgain), message(panel)?.next]).toEqual([true, undefined]);
    expect(panel.filesIn(FOLDER)).toEqual([]);
    expect(panel.video()?.standing).toBe("unknown");
    const before = panel.asked().length;
    await panel.delivers();
    expect(panel.asked().length).toBe(before);
    panel.server.faults.generateVideo = [];
    panel.deliver.orderAgain(true);
    await panel.delivers();
    expect([panel.asked().length, delivery(panel).ordersVideoAgain, panel.video()?.standing]).toEqual([
      before + 1,
      false,
      "ordered",
    ]);
    const here = await withVideo({}, { address: "http://127.0.0.1:8420" });
    expect(here.video()?.credits).toBe(0);
  });

  test("whose programme the service has lost is not made, and begun from nothing the next time; one that it lost is not ordered again unasked", async () => {
    const gone = () => json({ error: "not_found", message: "No such media." }, 404);
    const panel = await withVideo();
    panel.server.faults.generateVideo = [gone()];
    await panel.delivers();
    expect([message(panel)?.text, message(panel)?.isFault, videoRun(panel), panel.filesIn(FOLDER)]).toEqual([
      words.videoMediaGone,
      true,
      null,
      [],
    ]);
    expect(panel.editor.exports).toEqual([]);
    await panel.delivers();
    expect(delivery(panel).written?.folder).toBe(FOLDER);
    panel.server.faults.get = [
      storageError("NoSuchKey", 404),
      storageError("NoSuchKey", 404),
      storageError("NoSuchKey", 404),
    ];
    panel.server.faults.getResults = [gone(), gone(), gone()];
    await panel.does(() => panel.deliver.change({}));
    await panel.delivers();
    expect([message(panel)?.text, panel.video()?.standing]).toEqual([
      `${words.videoGone} ${words.videoNotAgain}`,
      "gone",
    ]);
    const before = panel.asked().length;
    panel.server.faults.getResults = [];
    await panel.delivers();
    expect(panel.asked().length).toBe(before);
    panel.deliver.orderAgain(true);
    await panel.delivers();
    expect([panel.asked().length, panel.video()?.standing]).toEqual([before + 1, "ordered"]);
  });

  test("that is ordered when the delivery is cancelled is still made, which is said", async () => {
    const panel = await withVideo();
    panel.server.jobStates = Array.from({ length: 1000 }, () => "processing");
    const seen = panel.session.store.update;
    panel.session.store.update = (next) => {
      seen(next);
      if (delivery(panel).running?.what === words.makingVideo) panel.deliver.cancel();
    };
    await panel.delivers();
    expect([message(panel), panel.video()?.standing, panel.filesIn(FOLDER)]).toEqual([
      { isFault: false, text: words.deliveryCancelled, next: words.videoStays },
      "ordered",
      [],
    ]);
  });

  test("that the service refuses for its key is told with the way to connect", async () => {
    const panel = await withVideo();
    panel.server.faults.generateVideo = [json({ error: "unauthorized", message: "Invalid API key." }, 401)];
    await panel.delivers();
    expect(message(panel)).toMatchObject({ isFault: true, code: "unauthorized", remedies: ["connect"] });
  });

  test("can be cancelled while it is hashed, piece by piece: nothing of the delivery stays", async () => {
    const panel = await withVideo();
    panel.server.mp4 = Buffer.concat([panel.server.mp4, new Uint8Array(9 * 1024 * 1024)]) as never;
    const seen = panel.session.store.update;
    panel.session.store.update = (next) => {
      seen(next);
      const { what = "", fraction = 0 } = delivery(panel).running ?? {};
      if (what === words.hashingVideo && fraction > 0.3) panel.deliver.cancel();
    };
    await panel.delivers();
    expect(panel.shown.filter((one) => one.startsWith(words.hashingVideo))).toHaveLength(1);
    expect([panel.filesIn(FOLDER), delivery(panel).written, message(panel)?.text]).toEqual([
      [],
      null,
      words.deliveryCancelled,
    ]);
  });

  test("of another length, or with lines that are heard elsewhere, is kept; what was found is told and fails", async () => {
    const panel = await withVideo({}, { result: { durationSeconds: 60 } });
    panel.server.vtt = "WEBVTT\n\n00:09.000 --> 00:10.500\nA woman sits.\n";
    await panel.delivers();
    expect([delivery(panel).written?.findings.map(({ rule }) => rule), panel.manifest().checks.verdict]).toEqual([
      ["video-length", "video-times", "video-words"],
      "fail",
    ]);
  });
});

test("a folder is shown by the system; where it cannot be, its path is told, to be copied", async () => {
  const shown: string[] = [];
  const outcomes: (() => Promise<boolean>)[] = [
    async () => true,
    async () => false,
    async () => Promise.reject(new Error("no")),
  ];
  const showFolder = async (path: string) => {
    shown.push(path);
    return (outcomes.shift() ?? (async () => false))();
  };
  const panel = await delivering({ texts: ["srt"], soundKinds: [] }, { members: { showFolder } as never });
  await panel.delivers();
  for (const isTold of [false, true, true]) {
    panel.session.store.set({ message: null });
    await panel.does(() => panel.deliver.show());
    expect(message(panel)).toEqual(
      isTold ? { isFault: false, text: words.cannotShow, details: [FOLDER], copy: FOLDER } : null,
    );
  }
  expect(shown).toEqual([FOLDER, FOLDER, FOLDER]);
  const without = await delivering({ texts: ["srt"], soundKinds: [] }, { members: { showFolder: undefined } as never });
  await without.delivers();
  await without.does(() => without.deliver.show());
  expect(message(without)?.text).toBe(words.cannotShow);
});

test("a delivery of another result than the one that is shown by then keeps its own, and what is looked at late changes nothing", async () => {
  const panel = await delivering();
  const change = (title: string) => panel.deliver.change({ title });
  await panel.does(() => Promise.all([change("First"), change("Second")]));
  expect([
    delivery(panel).title,
    delivery(panel).sounds.length,
    firstDelivery(panel.session.state.review as never).title,
  ]).toEqual(["Second", 1, "Harbour"]);
});
