import { beforeEach, describe, expect, test } from "vitest";
import { TextController } from "../../../../panel/controllers/describe/text-controller.ts";
import type { ServiceConnection } from "../../../../panel/session/connection.ts";
import type { PanelEnvironment } from "../../../../panel/session/environment.ts";
import { FIRST_FORM } from "../../../../panel/state/form.ts";
import { words } from "../../../../panel/words/words.ts";
import { ConnectionError } from "../../../../src/core/error.ts";
import { frameRate } from "../../../../src/core/frame-rate.ts";
import { chosenBy } from "../../../../src/formats/read-by.ts";
import { readDocument } from "../../../../src/formats/read-document.ts";
import { readServiceText } from "../../../../src/formats/service-formats.ts";
import { writeWebVtt } from "../../../../src/formats/webvtt/webvtt.ts";
import { jobEntry, type SessionInMemory, sessionInMemory, TextFiles } from "../../session-in-memory.ts";

const SEQUENCE = {
  ...jobEntry().sequence,
  rate: frameRate(25),
  startFrame: 90_000,
  durationSeconds: 6100,
};
const HOUR = "1\n01:04:00,000 --> 01:04:03,000\nWho is it?\n\n2\n01:40:00,000 --> 01:40:03,000\nNobody at all.\n";
const PLAIN = "1\n00:00:01,000 --> 00:00:02,000\nWho is it?\n";

let made: SessionInMemory;
let controller: TextController;
let picks: { name: string; content: string }[];
let askedFor: readonly string[];
let client: Record<string, (...args: never[]) => unknown>;
let sequence: typeof SEQUENCE;
beforeEach(() => {
  picks = [];
  askedFor = [];
  sequence = SEQUENCE;
  client = { textReading: async () => null };
  const files = new TextFiles();
  const bytes = { readBytes: async (path: string) => Uint8Array.from(Buffer.from(files.texts.get(path) ?? "")) };
  made = sessionInMemory(
    {
      files: Object.assign(files, bytes) as unknown as PanelEnvironment["files"],
      editor: { readSequence: async () => sequence } as unknown as PanelEnvironment["editor"],
      pickFile: async (types) => {
        askedFor = types;
        const picked = picks.shift();
        if (picked === undefined) return null;
        files.texts.set(`/${picked.name}`, picked.content);
        return { name: picked.name, path: `/${picked.name}` };
      },
    },
    files,
  );
  made.session.store.set({ sequence, form: FIRST_FORM });
  const connection = { client: async () => client } as unknown as ServiceConnection;
  controller = new TextController(made.session, connection);
});

const state = () => made.session.state;
const startsOf = (content = "") => readServiceText(content).cues.map(({ start }) => start);

describe("captions that may be meant in two ways", () => {
  beforeEach(async () => {
    picks = [{ name: "film.srt", content: HOUR }];
    await controller.pick("captions");
  });

  test("are asked about, and nothing of them is in the form before", () => {
    const { verdict } = state().textQuestion?.text.understood ?? {};
    expect(verdict?.kind === "unsure" && verdict.readings.map(({ choice }) => choice)).toEqual([
      { start: "00:00:00" },
      { start: "01:00:00" },
    ]);
    expect(state().form.captionFile).toBeUndefined();
    expect(state().textQuestion?.film.durationSeconds).toBe(6100);
  });

  test("count as the answer says, once it is given", async () => {
    await controller.choose({ start: "01:00:00" });
    expect(state().textQuestion).toBeNull();
    expect(state().form).toMatchObject({ captionSource: "file", captionFile: { filename: "film.vtt" } });
    expect(startsOf(state().form.captionFile?.content)).toEqual([240, 2400]);
    expect(state().form.captionFile?.receipt?.facts).toEqual(["2 captions", "zero is 01:00:00 (as given)"]);
    expect(await controller.areSettled()).toBe(true);
  });

  test("can be read from a start that is typed; what is no label is told, and asked again", async () => {
    controller.typeByHand("noon");
    await controller.useByHand();
    expect(state().message).toMatchObject({ isFault: true, text: words.textHandWrong.start });
    expect(state().textQuestion).not.toBeNull();
    controller.typeByHand(" 01:03:00 ");
    await controller.useByHand();
    expect(startsOf(state().form.captionFile?.content)).toEqual([60, 2220]);
  });

  test("are left out where the question is left, and what stood in the form before stays", async () => {
    await controller.choose({ start: "01:00:00" });
    const before = state().form;
    picks = [{ name: "other.srt", content: HOUR }];
    await controller.pick("captions");
    controller.leave();
    expect(state().form).toBe(before);
    expect(state().texts.captions?.picked.name).toBe("film.srt");
  });

  test("can be read otherwise later", async () => {
    await controller.choose({ start: "01:00:00" });
    controller.ask("captions");
    expect(state().textQuestion?.isAsked).toBe(true);
    await controller.choose({ start: "00:00:00" });
    expect(startsOf(state().form.captionFile?.content)).toEqual([3840, 6000]);
  });
});

test("the column of the words can be named by hand", async () => {
  const table =
    "In,Out,Spoken,Said\n0:01,0:02,A door opens slowly.,Who is there now?\n0:03,0:04,She goes.,Nobody is there.\n";
  let choice: unknown = null;
  client = {
    textReading: async () => ({ maximumBytes: 10_000, endings: ["csv"] }),
    readText: async (file: { choice: object }) => {
      choice = file.choice;
      const { cues, verdict } = readDocument(table, { filename: "a.csv", ...chosenBy(file.choice) });
      const told = { receipt: { facts: [], leftOut: [] }, verdict };
      return { format: "csv", webvtt: cues.length === 0 ? "" : writeWebVtt(cues), ...told };
    },
  };
  picks = [{ name: "a.csv", content: table }];
  await controller.pick("script");
  controller.typeByHand("Said");
  await controller.useByHand();
  expect(choice).toEqual({ column: "Said" });
  expect(state().form.scriptFile?.content).toContain("Who is there now?");
});

test("what can be read in one way goes into the form as it stands, with what was read", async () => {
  picks = [{ name: "mine.srt", content: PLAIN }];
  await controller.pick("script");
  expect(state().form.scriptFile).toMatchObject({ filename: "mine.srt", content: PLAIN });
  expect(state().form.scriptFile?.receipt?.facts).toEqual(["1 description", "zero is 00:00:00 (the film's start)"]);
  expect(state().form.captionSource).toBe("none");
  controller.drop("script");
  expect(state().form.scriptFile).toBeUndefined();
  expect(state().texts.script).toBeUndefined();
});

describe("a receipt of a text that was read", () => {
  beforeEach(async () => {
    picks = [{ name: "film.srt", content: HOUR }];
    await controller.pick("captions");
    await controller.choose({ start: "01:00:00" });
  });

  test("says what was taken of all that can be said otherwise", () => {
    expect(state().form.captionFile?.receipt?.choices).toEqual({
      start: "zero is 01:00:00 (as given)",
      rate: "made for 25 frames a second, as the film",
    });
  });

  test("has one thing of it changed, and the rest stays as it was said", async () => {
    controller.ask("captions", "rate");
    expect(state().textQuestion).toMatchObject({ byHand: "rate", isAsked: true });
    controller.typeByHand("fast");
    await controller.useByHand();
    expect(state().message).toMatchObject({ isFault: true, text: words.textHandWrong.rate });
    controller.typeByHand("24");
    await controller.useByHand();
    expect(state().texts.captions?.choice).toEqual({ start: "01:00:00", rate: "24" });
    expect(startsOf(state().form.captionFile?.content)).toEqual([230.4, 2304]);
    expect(state().form.captionFile?.receipt?.choices?.rate).toBe(
      "the times are shortened by 4.0 %: they were made for 24 frames a second",
    );
  });
});

test("what cannot be of the film is refused with the reason, and changes nothing", async () => {
  made.session.store.set({ sequence: { ...SEQUENCE, durationSeconds: 40 } });
  picks = [{ name: "far.srt", content: PLAIN.replaceAll("00:00:0", "05:17:0") }];
  await expect(controller.pick("script")).rejects.toThrow("none of its 1 times lies inside the film");
  expect(state().form).toEqual(FIRST_FORM);
});

test("a pick that is called off changes nothing", async () => {
  await controller.pick("script");
  expect(state().form).toEqual(FIRST_FORM);
});

describe("before an order the texts are held against the sequence as it is then", () => {
  beforeEach(async () => {
    made.session.store.set({ sequence: { ...SEQUENCE, startFrame: 0, durationSeconds: 7000 } });
    sequence = { ...SEQUENCE, startFrame: 0, durationSeconds: 7000 };
    picks = [{ name: "film.srt", content: HOUR }];
    await controller.pick("captions");
    expect(state().textQuestion).toBeNull();
  });

  test("and are settled where it is the same", async () => {
    expect(await controller.areSettled()).toBe(true);
  });

  test("and asked about where it is another", async () => {
    sequence = SEQUENCE;
    expect(await controller.areSettled()).toBe(false);
    expect(state().textQuestion?.text.picked.name).toBe("film.srt");
    expect(state().view).toBe("describe");
  });

  test("and refused where none of it lies in it", async () => {
    sequence = { ...SEQUENCE, startFrame: 0, durationSeconds: 40 };
    await expect(controller.areSettled()).rejects.toThrow("inside the film");
  });

  test("and refused whichever of them cannot be of it, beside one that can", async () => {
    const far = PLAIN.replaceAll("00:00:0", "05:17:0");
    sequence = { ...SEQUENCE, startFrame: 0, durationSeconds: 40 };
    const fileOf = (filename: string, content: string) => ({ filename, content });
    for (const [captions, script, wrong] of [
      [PLAIN, PLAIN, null],
      [PLAIN, far, "script"],
      [far, PLAIN, "captions"],
    ] as const) {
      // biome-ignore format: three
      const files = { captionFile: fileOf("captions.srt", captions), scriptFile: fileOf("script.srt", script) };
      made.session.store.set({ form: { ...state().form, captionSource: "file", ...files } });
      const settled = await controller.areSettled().catch((error: Error) => error.message);
      expect(settled).toEqual(wrong === null ? true : expect.stringContaining(`“${wrong}.srt”`));
    }
  });

  test("but captions that are not to be used are not looked at", async () => {
    sequence = { ...SEQUENCE, startFrame: 0, durationSeconds: 40 };
    made.session.store.set({ form: { ...state().form, captionSource: "none" } });
    expect(await controller.areSettled()).toBe(true);
  });
});

describe("a service that reads files", () => {
  test("is asked what it reads, and told of the speech that was heard", async () => {
    const speech = [{ start: 1, end: 2 }];
    let film: unknown;
    client = {
      textReading: async () => ({ maximumBytes: 10_000, endings: ["srt", "xlsx"] }),
      readText: async (file: { film: unknown }) => {
        film = file.film;
        return { format: "srt", webvtt: "WEBVTT\n", verdict: { kind: "fits" }, receipt: { facts: [], leftOut: [] } };
      },
    };
    const place = `${SEQUENCE.id} 0 6100`;
    made.session.store.set({
      gaps: { basis: "sound", durationSeconds: 6100, speech, music: [], unknown: [], place, key: place },
    });
    picks = [{ name: "a.srt", content: PLAIN }];
    await controller.pick("captions");
    expect(askedFor).toEqual(["srt", "xlsx"]);
    expect(film).toMatchObject({ speech: [[1, 2]], duration_seconds: 6100, start_timecode: "01:00:00:00" });
  });

  test("that does not answer leaves the reading to the panel; any other trouble is told", async () => {
    client["textReading"] = async () => {
      throw new ConnectionError("nobody there", { mayHaveArrived: false });
    };
    picks = [{ name: "a.srt", content: PLAIN }];
    await controller.pick("captions");
    expect(state().form.captionFile?.content).toBe(PLAIN);
    client["textReading"] = async () => {
      throw new TypeError("a fault");
    };
    await expect(controller.pick("captions")).rejects.toThrow("a fault");
  });
});
