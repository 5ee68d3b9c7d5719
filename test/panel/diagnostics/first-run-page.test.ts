import { access, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { pageTrials } from "../../../panel/diagnostics/page-trials.ts";
import { premiereProbes } from "../../../src/host/premiere/probes.ts";
import { premiereTrials } from "../../../src/host/premiere/trial/premiere-trials.ts";
import { KeyStore } from "../../../src/host/uxp/key-store.ts";
import { networkTrial, uxpProbes } from "../../../src/host/uxp/probes.ts";
import { UxpFiles } from "../../../src/host/uxp/work-folder.ts";
import { OWN_STEPS } from "../../../src/workflow/first-run/try-everything.ts";
import { InstantClock } from "../../fakes/instant-clock.ts";
import { makeFs } from "../../fakes/uxp/fs.ts";
import { MemoryDisk } from "../../fakes/uxp/memory-disk.ts";
import { makeSecureStorage } from "../../fakes/uxp/storage.ts";
import { makeRequests } from "../../fakes/uxp/xml-http-request.ts";
import { openSample } from "../../host/premiere/open-premiere.ts";
import { Page } from "../page.ts";

/** Everything that the panel asks, as `panel/main.ts` puts it together. */
function everyProbe(): readonly { readonly name: string; readonly code: string }[] {
  const { module: premiere } = openSample();
  const { module: fs } = makeFs({ disk: new MemoryDisk(), schemes: {}, hasFullAccess: true, random: () => 0.5 });
  const [clock, files, presets] = [new InstantClock(), new UxpFiles(fs), { list: async () => [] }];
  const [pathOf, secrets] = [async (name: string) => name, new KeyStore(makeSecureStorage().module)];
  const Requests = makeRequests({ wire: () => Promise.reject(new Error("no wire")), domains: "all" });
  return [
    ...premiereProbes(premiere, presets),
    ...uxpProbes({ files, secrets, folder: async () => "/", globals: {} }),
    ...pageTrials({ document: new Page(), clock }, new Set()),
    ...premiereTrials({ premiere, clock, files, presets, newFile: pathOf, pathOf }).probes,
    networkTrial(Requests),
    ...OWN_STEPS,
  ];
}

test("docs/first-run.md says of every probe what code depends on it and what the panel does by the answer", async () => {
  const page = await readFile("docs/first-run.md", "utf8");
  const rows = [
    ...page.matchAll(/^\| (?<name>[^|]+) \| (?<question>[^|]+) \| (?<code>`[^|]+) \| (?<does>[^|]+) \|$/gm),
  ];
  const told = rows.map(({ groups }) => [groups?.["name"], groups?.["code"]?.replaceAll(/[`,]/g, "")]);
  const probes = everyProbe();
  expect(told.sort()).toEqual(probes.map(({ name, code }) => [name, code]).sort());
  for (const file of new Set(probes.flatMap(({ code }) => code.split(" ")))) await access(file);
});

test("the host's controls are measured beside ours, and nothing of them stays", async () => {
  const page = new Page();
  const trial = pageTrials({ document: page, clock: new InstantClock() }, new Set()).find(
    ({ name }) => name === "Controls of the host",
  );
  const before = page.body.children.length;
  const found =
    (await trial?.run({ originalId: "", sequenceId: "", address: "", signal: new AbortController().signal })) ?? "";
  expect(found.split("; ")).toEqual([
    "button: 300 by 400, takes the focus",
    "sp-button: 300 by 400, takes no focus",
    "sp-action-button size=s: 300 by 400, takes no focus",
    "input type=checkbox: 300 by 400, takes the focus",
    "sp-checkbox: 300 by 400, takes no focus",
    "input type=text: 300 by 400, takes the focus",
    "sp-textfield: 300 by 400, takes no focus",
  ]);
  expect(page.body.children.length).toBe(before);
});
