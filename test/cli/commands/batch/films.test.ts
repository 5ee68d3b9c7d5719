import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { twoFilms } from "./two-films.ts";

// Whole batches of several films, in several languages, in this process.

describe("a batch of films", () => {
  test("describes each, sends each film once, and says which had to say other words than were given", async () => {
    const { server, out, batch, at } = await twoFilms();
    await writeFile(at("two.de-DE.srt"), "1\n00:00:01,000 --> 00:00:02,500\nEine Frau sitzt.\n");
    const given = [at("one.mp4"), at("two.mp4"), "--languages", "de-DE", "--voice", "Kore"];
    const { code, stdout } = await batch(given);
    for (const name of ["one", "two"]) {
      const row = stdout.split("\n").find((line) => line.startsWith(`${name}.mp4, de-DE `));
      expect(row?.split(/ {2,}/).slice(1, 3)).toEqual(["done", "2"]);
      expect(await readFile(join(out, name, "de-DE", "cues.vtt"), "utf8")).toContain("A woman sits.");
    }
    expect(stdout).toMatch(/\n\n2 done, 0 failed, 0 waiting, in .*out$/m);
    expect(server.seen.filter(({ route, method }) => route === "storage" && method === "PUT")).toHaveLength(2);
    const bodies = server.bodies("generateAudio").map((body) => JSON.stringify(body));
    expect(bodies.map((body) => body.includes("Kore"))).toEqual([true, true]);
    // The server's own words, in place of the script of the second.
    expect(code).toBe(3);
    const again = await batch(given);
    expect(again.stderr.match(/: done already$/gm)).toHaveLength(2);
    expect(server.accepted).toBe(2);
  });

  test("looks at words and times that another is still to make no sooner than they are there, whichever of several it is", async () => {
    const { out, batch, at } = await twoFilms();
    const row = (name: string, more: object = {}) => ({ media: at(`${name}.mp4`), out: name, ...more });
    const plan = async (...rows: readonly object[]) => {
      await writeFile(at("plan.json"), JSON.stringify(rows));
      return at("plan.json");
    };
    expect((await batch([await plan(row("one"))])).code).toBe(0);
    const [script, captions] = [join(out, "one", "cues.vtt"), join(out, "two", "cues.vtt")];
    const path = await plan(row("one"), row("two"), row("one", { out: "three", script, captions }));
    const { stdout } = await batch([path, "--dry-run", "--json"]);
    const items: { state: string; problem?: string }[] = JSON.parse(stdout);
    expect(items.map(({ state, problem }) => [state, problem])).toEqual([
      ["done", undefined],
      ["waiting", undefined],
      ["waiting", undefined],
    ]);
    expect(existsSync(captions)).toBe(false);
  });
});
