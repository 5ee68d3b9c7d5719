import { expect, test } from "vitest";
import type { InterchangeForm } from "../../../src/host/editor.ts";
import { PremiereHost } from "../../../src/host/premiere/premiere-host.ts";
import { InstantClock } from "../../fakes/instant-clock.ts";
import type { Faults } from "../../fakes/premiere/faults.ts";
import { MemoryWorld } from "../../fakes/premiere/memory-world.ts";
import { openSample } from "./open-premiere.ts";

const FORMS: readonly InterchangeForm[] = ["aaf", "otio", "xml"];

function open(faults: Partial<Faults> = {}) {
  const world = new MemoryWorld();
  const clock = new InstantClock();
  const premiere = openSample({}, { world, faults });
  const host = new PremiereHost({
    premiere: premiere.module,
    clock,
    files: world,
    presets: { list: async () => [] },
    newFile: async () => "/aside/export.mp4",
  });
  const texts = new Map<string, string>();
  const save = world.save.bind(world);
  Object.assign(world, {
    save: (path: string, text: string) => {
      texts.set(path, text);
      return save(path, text);
    },
  });
  const convert = (form: InterchangeForm, signal = new AbortController().signal) =>
    host.convert({ form, path: `/out/cut.${form}` }, signal);
  return { world, clock, premiere, texts, convert };
}

test.each(FORMS)("%s is written by the converter of its form, and nothing is waited for", async (form) => {
  const { clock, texts, convert } = open();
  await convert(form);
  expect([...texts]).toEqual([[`/out/cut.${form}`, `${form.toUpperCase()} of Harbour_v7`]]);
  expect(clock.sleeps).toEqual([]);
});

test("what Premiere does not write is an error of its form, at once where it says no, else after some looks", async () => {
  for (const form of FORMS) {
    const failure = {
      code: "export_failed",
      operation: `write the sequence as ${form.toUpperCase()}`,
      state: "nothing was written",
      message: `Premiere wrote no ${form.toUpperCase()}. Try File › Export there.`,
    };
    const refusing = open({ converters: "refuse" });
    // Even where a file of that name is there: it is an older one.
    refusing.world.files.set(`/out/cut.${form}`, { size: 9, facts: null });
    await expect(refusing.convert(form)).rejects.toMatchObject(failure);
    expect(refusing.clock.sleeps).toEqual([]);
    const claiming = open({ converters: "true without a file" });
    await expect(claiming.convert(form)).rejects.toMatchObject(failure);
    expect(claiming.clock.now()).toBe(3000);
    const empty = open({ converters: "true without a file" });
    empty.world.files.set(`/out/cut.${form}`, { size: 0, facts: null });
    await expect(empty.convert(form)).rejects.toMatchObject(failure);
  }
});

test.each([1, 9])("a file that comes by look %i is there", async (late) => {
  const { clock, convert, world } = open({ converters: "true without a file" });
  const size = async () => (clock.sleeps.length >= late ? 7 : null);
  Object.assign(world, { size });
  await convert("otio");
  expect(clock.sleeps).toHaveLength(late);
});

test("once it is called off, it is waited for no longer, and the reason is told", async () => {
  const { convert } = open({ converters: "true without a file" });
  const reason = new Error("stopped");
  await expect(convert("xml", AbortSignal.abort(reason))).rejects.toBe(reason);
});

test("a converter that this version lacks is not asked for, and named", async () => {
  for (const [version, form] of [
    ["25.6", "otio"],
    ["26.2", "aaf"],
  ] as const) {
    const { convert, clock } = open({ version });
    await expect(convert(form)).rejects.toMatchObject({
      message: `This Premiere cannot write ${form.toUpperCase()} for other programs. Try File › Export there.`,
      tried: [expect.stringMatching(/^ProjectConverter\.\w+ is missing$/)],
    });
    expect(clock.sleeps).toEqual([]);
  }
  await open({ version: "26.2" }).convert("otio");
});
