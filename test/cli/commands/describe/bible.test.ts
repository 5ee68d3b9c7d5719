import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { HostedServer } from "../../../fakes/hosted-server.ts";
import { sharedMedia } from "../../../shared-media.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { asideHere } from "../../run-aside.ts";

const REPORT = { describer: "vision", speech: [], music: [], silence: [], shots: [], notes: [], stage_seconds: {} };
const FOUND = "# Persons\nthe man = tall\n";

/** Describes a film into a folder by a service that says this of it. */
async function described() {
  const server = new HostedServer();
  server.pollSeconds = 0.1;
  server.report = { ...REPORT, bible: FOUND };
  const { address, close } = await server.listen();
  onTestFinished(close);
  const out = join(await temporaryFolder(), "out");
  const film = sharedMedia("containers/sintel-5s.mp4");
  const args = ["describe", film, "--server", address, "--out", out, "--track", "none"];
  return {
    server,
    out,
    bible: join(out, "bible.md"),
    run: async (...more: string[]) => {
      const ended = await asideHere([...args, ...more], { ASIDE_API_KEY: server.key });
      expect(ended.stderr).toContain("Describe: done");
      return ended;
    },
    /** What the last request said about describing. */
    sent: () =>
      JSON.stringify(
        server.seen
          .filter(({ route }) => route === "generateText")
          .map(({ body }) => Buffer.from(body).toString())
          .at(-1) ?? "",
      ).replaceAll("\\", ""),
  };
}

test("the film's bible is a file of the results; what an editor corrects in it goes along, now and later", async () => {
  const { server, bible, run, sent, out } = await described();
  await run();
  expect(await readFile(bible, "utf8")).toBe(FOUND);
  expect(sent()).not.toContain("describing");
  const corrected = "# Persons\nthe captain = tall\n  name: Karl\n";
  await writeFile(bible, corrected);
  server.report = { ...REPORT, bible: corrected };
  await run();
  expect(sent()).toContain("the captain = tall");
  expect(await readFile(bible, "utf8")).toBe(corrected);
  // Nobody changed it since: it is still the editor's.
  await run("--instructions", "Be brief.");
  expect(sent()).toContain("the captain = tall");
  expect(sent()).toContain("Be brief.");
  server.report = REPORT;
  await run("--instructions", "Be briefer.");
  expect(await readdir(out)).not.toContain("bible.md");
}, 120_000);

test("options say what is known, what may be added and what it may cost", async () => {
  const { run, sent, out } = await described();
  const file = join(out, "..", "mine.md");
  await writeFile(file, "# Story\nShe hides.\n");
  await run("--ad-type", "extended_ad", "--bible", file, "--max-added", "20", "--max-cost", "1.5");
  expect(sent()).toContain("She hides.");
  expect(sent()).toContain('"maximum_added_percent":20');
  expect(sent()).toContain('"maximum_cost":1.5');
});
