import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { readWaveHeader, waveLength } from "../../../../src/formats/wave/read-wave.ts";
import { SAMPLE_SEQUENCE_ID, type SampleOptions } from "../../../fakes/premiere/sample-project.ts";
import { silentWav } from "../../../fakes/wav.ts";
import { type PanelOnDoubles, panelOnDoubles } from "../../open-panel.ts";
import { bytesOf, manifestIn } from "./delivered.ts";

/** Described, and the view to deliver it open. */
async function opened(sample: SampleOptions = {}): Promise<PanelOnDoubles> {
  const panel = await panelOnDoubles(sample);
  panel.server.wav = silentWav(6);
  await panel.connect();
  panel.page().click("tab-describe");
  await panel.sees("Describe sequence");
  if (sample.inFrame !== undefined) {
    await expect.poll(() => panel.page().find("range-in-to-out")).not.toBeNull();
    panel.page().tick("range-in-to-out", true);
  }
  await panel.order();
  await panel.sees("2 descriptions");
  panel.menu().click("accept-all");
  panel.menu().type("reviewer", "Ada");
  panel.menu().click("sign-off");
  await panel.sees("Signed off by Ada.");
  panel.page().click("tab-deliver");
  await panel.sees("Choose a folder and deliver");
  await more(panel);
  return panel;
}

/** Opens what is rarely changed of a delivery. */
async function more(panel: PanelOnDoubles): Promise<void> {
  panel.page().click("section-delivery-more");
  await expect.poll(() => panel.page().find("delivery-title")).not.toBeNull();
}

const enabled = (panel: PanelOnDoubles) => expect.poll(() => panel.page().byId("deliver").disabled).toBe(false);

const filesIn = (panel: PanelOnDoubles, folder: string) =>
  [...panel.disk.files.keys()].filter((path) => path.startsWith(`${folder}/`)).sort();

test("texts, narration as Broadcast Wave and a manifest with hashes, voice and sign-off go into a new folder", async () => {
  const panel = await opened();
  await panel.sees("✓ Signed off by Ada");
  await enabled(panel);
  panel.page().click("deliver");
  await panel.sees("8 files in /projects/Harbour_v7 complete");
  const folder = "/projects/Harbour_v7 complete";
  const manifest = manifestIn(panel, folder);
  const names = manifest.files.map(({ name }) => name);
  expect(filesIn(panel, folder)).toEqual([...names, "manifest.json"].map((name) => `${folder}/${name}`).sort());
  for (const { name, bytes, sha256 } of manifest.files) {
    const there = bytesOf(panel, `${folder}/${name}`);
    expect([there.length, createHash("sha256").update(there).digest("hex")], name).toEqual([bytes, sha256]);
  }
  expect(manifest).toMatchObject({
    title: "Harbour_v7",
    descriptions: 2,
    voice: { kind: "synthetic", name: "Achernar" },
    signed_off: { name: "Ada", state: "valid" },
    history: { counts: { "as-written": 2 } },
    checks: { verdict: expect.any(String) },
  });
  const wav = names.find((name) => name.endsWith(".wav")) ?? "";
  const reading = readWaveHeader(bytesOf(panel, `${folder}/${wav}`));
  expect(reading).toMatchObject({ ok: true, layout: { broadcast: { timeReferenceSamples: 0 } } });
  panel.page().click("show-delivery");
  // Once more: nothing is written over.
  panel.page().click("deliver");
  await panel.sees("8 files in /projects/Harbour_v7 complete 2");
});

test("what a preset needs and is not there is said before; a file that the editor exported takes its place", async () => {
  const panel = await opened();
  panel.page().type("delivery-preset", "netflix");
  await panel.sees("Missing for");
  expect(panel.page().byId("deliver").disabled).toBe(true);
  panel.picks.file = "/projects/captions.vtt";
  panel.disk.files.set(panel.picks.file, new Uint8Array(100));
  panel.page().click("pick-mix");
  await panel.sees("“captions.vtt” cannot be read as a WAV file.");
  panel.picks.file = "/projects/my mix.wav";
  panel.disk.files.set(panel.picks.file, silentWav(6));
  panel.page().click("pick-mix");
  await panel.sees("my mix.wav: 16 bit, 48 kHz");
  // Netflix takes 24 bit: that is a limit, and it is the editor's to go on.
  await panel.sees("limits are exceeded");
  expect(panel.page().byId("deliver").disabled).toBe(true);
  panel.page().tick("deliver-despite", true);
  await enabled(panel);
  panel.page().click("deliver");
  await panel.sees(/files in \/projects\/Harbour_v7 netflix/);
  const manifest = manifestIn(panel, "/projects/Harbour_v7 netflix");
  expect(manifest.checks).toMatchObject({ verdict: "fail" });
  expect(manifest.preset.name).toBe("netflix");
});

test("a leader lies before the sound where there is room for it, and a number goes into its head", async () => {
  const panel = await opened();
  panel.page().tick("delivery-leader", true);
  // The sample sequence begins at midnight.
  await panel.sees("No leader: the programme begins less than 8 seconds after midnight.");
  panel.page().type("delivery-preset", "wbd");
  panel.picks.file = "/projects/my mix.wav";
  panel.disk.files.set(panel.picks.file, silentWav(6));
  panel.page().click("pick-mix");
  await panel.sees("my mix.wav: 16 bit, 48 kHz");
  panel.page().tick("delivery-narration", false);
  panel.page().type("delivery-fileName", "{reference}_{kind}.{ending}");
  await panel.sees("The files cannot have this name: there is no number for {reference}.");
  panel.page().type("delivery-reference", "HB-0107");
  panel.page().tick("deliver-despite", true);
  await enabled(panel);
  panel.page().click("deliver");
  await panel.sees(/files in \/projects\/Harbour_v7 wbd/);
  const bytes = bytesOf(panel, "/projects/Harbour_v7 wbd/HB-0107_mix.wav");
  const reading = readWaveHeader(bytes);
  if (!reading.ok) throw new Error(reading.code);
  const { broadcast } = reading.layout;
  expect(broadcast).toMatchObject({
    description: "Harbour_v7: programme with audio description (en-US)",
    originatorReference: "HB-0107",
    timeReferenceSamples: (3600 - 8) * 48_000,
    codingHistory: [
      expect.stringMatching(/^A=PCM,F=48000,W=16,M=\w+,T=Aside; programme with audio description; leader added$/),
    ],
  });
  expect(broadcast?.origination?.date).toMatch(/^\d{4}-\d\d-\d\d$/);
  expect(waveLength(reading.layout, bytes.length).seconds).toBe(14);
});

test("what is unticked is left out, and changed words are told as the editor's", async () => {
  const panel = await opened();
  panel.page().click("tab-review");
  await panel.sees("Place on timeline");
  await panel.openCue();
  panel.page().type("cue-text", "Ann sits.");
  await panel.sees("♪ changed");
  panel.page().click("tab-deliver");
  await panel.sees("1 line does not match the narration’s file.");
  await panel.sees("no longer counts: the descriptions changed since");
  for (const kind of ["srt", "edl", "csv", "dapt", "script", "narration"]) {
    panel.page().tick(`delivery-${kind}`, false);
    await expect.poll(() => panel.page().byId(`delivery-${kind}`).checked).toBe(false);
  }
  panel.page().type("delivery-title", "Harbour: the film");
  await enabled(panel);
  panel.page().click("deliver");
  await panel.sees("2 files in /projects/Harbour- the film complete");
  const manifest = manifestIn(panel, "/projects/Harbour- the film complete");
  expect(manifest).toMatchObject({
    title: "Harbour: the film",
    signed_off: { state: "void" },
    history: { counts: { "as-written": 1, edited: 1 } },
  });
});

test("cancelled in the middle, nothing is left; a cancelled picker begins nothing", async () => {
  const panel = await opened();
  await enabled(panel);
  panel.picks.folder = null;
  panel.page().click("deliver");
  panel.picks.folder = "/projects";
  panel.disk.files.set("/projects/long.wav", silentWav(300));
  panel.picks.file = "/projects/long.wav";
  panel.page().click("pick-narration");
  await panel.sees("long.wav: 16 bit");
  await enabled(panel);
  panel.page().click("deliver");
  await panel.sees(/Writing [^ ]*narration/);
  panel.page().click("cancel-delivery");
  await panel.sees("Cancelled. What was written is removed.");
  expect(filesIn(panel, "/projects/Harbour_v7 complete")).toEqual([]);
});

test("Premiere writes the open sequence for other programs, and the script comes into the bin as captions", async () => {
  const panel = await opened();
  for (const kind of ["aaf", "otio", "xml", "captions"]) panel.page().tick(`hand-off-${kind}`, true);
  await enabled(panel);
  const before = panel.premiere.machine.sequence("project-sample", SAMPLE_SEQUENCE_ID);
  panel.page().click("deliver");
  await panel.sees("12 files in /projects/Harbour_v7 complete");
  const folder = "/projects/Harbour_v7 complete";
  const handed = filesIn(panel, `${folder}/From Premiere`);
  expect(handed.map((path) => path.replace(/^.*\./, ""))).toEqual(["srt", "aaf", "otio", "xml"]);
  const [srt = "", aaf = ""] = handed;
  expect(new TextDecoder().decode(bytesOf(panel, aaf))).toBe("AAF of Harbour_v7");
  expect(new TextDecoder().decode(bytesOf(panel, srt))).toMatch(/^1\r?\n00:00:0\d,\d{3} --> /);
  const items = [...panel.premiere.machine.project("project-sample").items.values()];
  const bin = items.find(({ name }) => name === "Aside");
  expect(items.filter(({ parentId }) => parentId === bin?.id).map(({ name }) => name)).toEqual([srt.split("/").at(-1)]);
  expect(panel.premiere.machine.sequence("project-sample", SAMPLE_SEQUENCE_ID)).toEqual(before);
});

test("captions stand where the sequence has them, also for a programme from in to out", async () => {
  const panel = await opened({ inFrame: 50, outFrame: 125 });
  panel.page().tick("hand-off-captions", true);
  await enabled(panel);
  panel.page().click("deliver");
  await panel.sees("9 files in /projects/Harbour_v7 complete");
  const folder = "/projects/Harbour_v7 complete";
  const [path = ""] = filesIn(panel, `${folder}/From Premiere`);
  const firstOf = (name: string) => {
    const text = new TextDecoder().decode(bytesOf(panel, name));
    const [, minutes, seconds, milliseconds] = /00:(\d\d):(\d\d),(\d{3}) --> /.exec(text) ?? [];
    return Number(minutes) * 60 + Number(seconds) + Number(milliseconds) / 1000;
  };
  const own = filesIn(panel, folder).find((name) => name.endsWith("descriptions.srt")) ?? "";
  expect(firstOf(path) - firstOf(own)).toBeCloseTo(2, 3);
});

test("what Premiere does not write is told, and the rest is delivered", async () => {
  const panel = await opened();
  Object.assign(panel.premiere.faults, { converters: "true without a file", importDelay: Number.POSITIVE_INFINITY });
  panel.page().tick("hand-off-otio", true);
  panel.page().tick("hand-off-captions", true);
  await enabled(panel);
  panel.page().click("deliver");
  await panel.sees(
    /sequence\.otio: Premiere wrote no OTIO\..*captions\.srt: .* The file is written. Import it by hand/,
  );
  await panel.sees("9 files in /projects/Harbour_v7 complete");
});
