import { expect, test } from "vitest";
import { inTheWay, twoFilms } from "./two-films.ts";

// What a batch says at its end; nothing is described.

test("each item that failed is said as it does, and stands in the summary with why, whatever its language", async () => {
  const { out, batch, at } = await twoFilms();
  const items = ["one", "two"].flatMap((name) => ["en-US", "de-DE"].map((language) => [name, language] as const));
  await inTheWay(
    out,
    items.map((item) => item.join("/")),
  );
  const { code, stdout, stderr } = await batch([at("one.mp4"), at("two.mp4"), "--languages", "en-US, de-DE"]);
  expect(code).toBe(1);
  const [head = "", ...rows] = stdout.split("\n");
  for (const [index, [name, language]] of items.entries()) {
    expect(stderr).toContain(`[${index + 1}/4] ${name}.mp4, ${language}\n`);
    expect(stderr).toMatch(new RegExp(`^\\[${index + 1}/4\\] .*\\(file_in_the_way\\)$`, "m"));
    const row = rows.find((line) => line.startsWith(`${name}.mp4, ${language}  failed `)) ?? "";
    // Behind every column that has a head.
    expect(row.indexOf('"cues.vtt"')).toBe(head.length + 2);
  }
  expect(stdout).toContain(`0 done, 4 failed, 0 waiting, in ${out}`);
});

test("what the next item would meet as well ends the batch, and the rest is waiting", async () => {
  const { batch, at } = await twoFilms();
  const { code, stdout } = await batch([at("one.mp4"), at("two.mp4"), "--jobs", "1"], { ASIDE_API_KEY: "another" });
  expect(code).toBe(1);
  expect(stdout).toMatch(/^one\.mp4 +failed [\s\S]*^two\.mp4 +waiting /m);
  expect(stdout).toContain("0 done, 1 failed, 1 waiting, in ");
});
