import { existsSync } from "node:fs";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { strFromU8, unzipSync } from "fflate";
import { describe, expect, test } from "vitest";
import { sha256Of } from "../../../../src/cli/commands/deliver/delivery-folder.ts";
import { silentWav } from "../../../fakes/wav.ts";
import { temporaryFolder } from "../../../temporary-folder.ts";
import { asideHere } from "../../run-aside.ts";

// A delivery of texts alone: no media is looked at, no process started.

const VTT = "WEBVTT\n\na\n00:02.000 --> 00:05.000\nA rabbit wakes up.\n\nb\n00:10.000 --> 00:14.000\nIt hops away.\n";
const CAPTIONS = "WEBVTT\n\n00:00.500 --> 00:01.500\nGood morning.\n\n00:07.000 --> 00:09.000\nWho is there?\n";

async function delivered(...options: readonly string[]) {
  const folder = await temporaryFolder();
  const [cues, captions, out] = [join(folder, "hare.vtt"), join(folder, "captions.vtt"), join(folder, "out")];
  await writeFile(cues, VTT);
  await writeFile(captions, CAPTIONS);
  const all = options.map((one) => (one === "CAPTIONS" ? captions : one));
  const run = await asideHere(["deliver", cues, "--out", out, "--language", "en-GB", ...all]);
  return { ...run, out };
}

describe("a delivery of texts", () => {
  test("has each file that its manifest names, by its length and digest, and nothing beside them", async () => {
    const { code, stderr, stdout, out } = await delivered("--word", "--excel", "--captions", "CAPTIONS", "--json");
    expect([code, stderr]).toEqual([0, ""]);
    const manifest = JSON.parse(stdout);
    expect(JSON.parse(await readFile(join(out, "manifest.json"), "utf8"))).toEqual(manifest);
    const names: string[] = manifest.files.map(({ name }: { name: string }) => name);
    expect((await readdir(out)).sort()).toEqual([...names, "manifest.json"].sort());
    for (const ending of ["vtt", "srt", "edl", "csv", "docx", "xlsx", "html"]) {
      expect([ending, names.some((name) => name.endsWith(`.${ending}`))]).toEqual([ending, true]);
    }
    for (const { name, bytes, sha256 } of manifest.files) {
      const content = await readFile(join(out, name));
      expect([name, bytes, sha256]).toEqual([name, content.length, await sha256Of(join(out, name))]);
    }
    const text = await readFile(join(out, names.find((name) => name.endsWith(".vtt")) ?? ""), "utf8");
    expect(text).toMatch(/A rabbit wakes up\.[\s\S]*It hops away\./);
  });

  test("has the dialogue before each description in its script, where that is known", async () => {
    const { out } = await delivered("--word", "--excel", "--captions", "CAPTIONS");
    const script = (await readdir(out)).find((name) => name.endsWith(".docx")) ?? "";
    const inside = unzipSync(new Uint8Array(await readFile(join(out, script))));
    const words = strFromU8(inside["word/document.xml"] ?? new Uint8Array());
    const at = (sentence: string) => words.indexOf(sentence);
    expect([at("Good morning.") > 0, at("Who is there?") > 0]).toEqual([true, true]);
    expect(at("Good morning.")).toBeLessThan(at("Who is there?"));
  });

  test("goes over its own earlier one, and not where somebody else's file lies, which stays", async () => {
    const { out } = await delivered();
    const again = await asideHere(["deliver", join(out, "..", "hare.vtt"), "--out", out]);
    expect(again.code).toBe(0);
    await writeFile(join(out, "mine.txt"), "mine");
    const refused = await asideHere(["deliver", join(out, "..", "hare.vtt"), "--out", out]);
    expect([refused.code, refused.stdout]).toEqual([2, ""]);
    expect(refused.stderr).toContain("--force writes into it");
    expect(await readFile(join(out, "mine.txt"), "utf8")).toBe("mine");
    expect((await readdir(out)).some((name) => name.startsWith("."))).toBe(false);
  });

  test("takes several sounds along, each under its own name, as it was", async () => {
    const folder = await temporaryFolder();
    const [narration, mix] = [join(folder, "n.wav"), join(folder, "m.wav")];
    await writeFile(narration, silentWav(15));
    await writeFile(mix, silentWav(16));
    const { code, stderr, stdout, out } = await delivered("--audio", narration, "--mix", mix, "--json");
    expect(code, stderr).toBe(0);
    const { files } = JSON.parse(stdout) as { files: { name: string; bytes: number; sha256: string }[] };
    const sounds = files.filter(({ name }) => name.endsWith(".wav"));
    expect(sounds.map(({ name }) => name).sort()).toEqual([
      expect.stringMatching(/mix/),
      expect.stringMatching(/narration|ad_only|ad/),
    ]);
    for (const { name, bytes, sha256 } of files) {
      const content = await readFile(join(out, name));
      expect([name, bytes, sha256]).toEqual([name, content.length, await sha256Of(join(out, name))]);
    }
    expect((await readdir(out)).sort()).toEqual([...files.map(({ name }) => name), "manifest.json"].sort());
    const lengths = await Promise.all(sounds.map(async ({ name }) => (await stat(join(out, name))).size));
    expect(Math.abs((lengths[0] ?? 0) - (lengths[1] ?? 0))).toBeGreaterThan(40_000);
  });

  test("that lacks several of its inputs names each of them", async () => {
    for (const asked of [["--video"], ["--preset", "web"]]) {
      const { code, stderr } = await delivered(...asked);
      expect([code, stderr]).toEqual([2, expect.stringContaining("needs --media, --audio, --mix")]);
    }
    expect((await delivered("--preset", "prime-video")).stderr).toContain("needs --media, --mix");
  });

  test.each([
    [["--preset", "nobody"], 2],
    [["--leader", "1"], 2],
    [["--video"], 2],
    [["--adm"], 2],
    [["--audio", "none.wav"], 1],
  ] as const)(
    "with %j ends with %i, says why on the error output alone, and leaves no folder",
    async (options, code) => {
      const { stdout, stderr, out, ...run } = await delivered(...options);
      expect([run.code, stdout, existsSync(out)]).toEqual([code, "", false]);
      expect(stderr).toMatch(/^aside: .+\(\w+\)\n/);
    },
  );
});
