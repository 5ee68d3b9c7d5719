import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, test, vi } from "vitest";
import { Announcer } from "../../../panel/document/announcer.ts";
import { Page } from "../page.ts";

beforeEach(() => {
  vi.useFakeTimers();
});

function announcing() {
  const page = new Page();
  const announcer = new Announcer(page, {
    after(milliseconds, run) {
      const timer = setTimeout(run, milliseconds);
      return () => clearTimeout(timer);
    },
  });
  const region = (name: string) => page.getElementById(`heard-${name}`);
  return { page, announcer, region };
}

test("its regions are there before anything is said, once for a document, and stay what they are", () => {
  const { page, announcer, region } = announcing();
  const live = () => ["polite", "assertive", "descriptions"].map((name) => region(name)?.attributes["aria-live"]);
  expect(live()).toEqual(["polite", "assertive", "assertive"]);
  new Announcer(page, { after: () => () => undefined });
  expect([...page.body.all()].filter((node) => node.attributes["aria-live"] !== undefined)).toHaveLength(3);
  announcer.read("A boat.");
  announcer.say({ text: "Muted.", isUrgent: true });
  vi.runAllTimers();
  expect(live()).toEqual(["polite", "assertive", "assertive"]);
});

test("the same sentence is heard again: its region was empty in between, and is empty in the end", () => {
  const { page, announcer, region } = announcing();
  announcer.say({ text: "1 line not accepted yet", isUrgent: true });
  vi.advanceTimersByTime(1000);
  expect(region("assertive")?.textContent).toBe("1 line not accepted yet.");
  announcer.say({ text: "1 line not accepted yet", isUrgent: true });
  vi.advanceTimersByTime(130);
  expect(region("assertive")?.textContent).toBe("");
  vi.advanceTimersByTime(500);
  // Orca takes equal texts for one: a space that nobody hears tells them apart.
  expect(page.heard).toEqual(["1 line not accepted yet.", "1 line not accepted yet.\u00a0"]);
  vi.runAllTimers();
  expect(region("assertive")?.textContent).toBe("");
});

test("no sentence is lost to one that follows at once; of one topic only the last is said", () => {
  const { page, announcer, region } = announcing();
  announcer.say({ text: "Muted" });
  announcer.say({ text: "Read", topic: "step" });
  announcer.say({ text: "Upload", topic: "step" });
  vi.advanceTimersByTime(125);
  // The region is being filled with them.
  announcer.say({ text: "Done: harbour" });
  vi.advanceTimersByTime(200);
  expect(region("polite")?.textContent).toBe("Muted. Upload.");
  vi.advanceTimersByTime(1000);
  expect(page.heard).toEqual(["Muted. Upload.", "Done: harbour."]);
});

test("what is said of words waits until nobody types any more", () => {
  const { page, announcer } = announcing();
  for (const text of ["1 found", "2 found", "3 found"]) {
    announcer.say({ text, topic: "found", waitsForTyping: true });
    vi.advanceTimersByTime(400);
  }
  expect(page.heard).toEqual([]);
  vi.advanceTimersByTime(1000);
  expect(page.heard).toEqual(["3 found."]);
});

test("a description is read at once and again, and everything else waits for its end", () => {
  const { page, announcer, region } = announcing();
  announcer.say({ text: "Playing from 22 seconds." });
  announcer.read("A white boat.");
  announcer.say({ text: "Something failed", isUrgent: true });
  vi.advanceTimersByTime(3000);
  announcer.read("A white boat.");
  vi.advanceTimersByTime(3000);
  expect(page.heard).toEqual(["A white boat.", "A white boat.\u00a0"]);
  announcer.endReading();
  expect(region("descriptions")?.textContent).toBe("");
  vi.advanceTimersByTime(1000);
  expect(page.heard.slice(2)).toEqual(["Playing from 22 seconds.", "Something failed."]);
});

test("nothing else in panel and page has a screen reader say anything", async () => {
  const names = await Promise.all(
    ["panel", "page"].map(async (folder) =>
      (await readdir(folder, { recursive: true })).map((name) => join(folder, name)),
    ),
  );
  const sources = names.flat().filter((name) => /\.(?:ts|html)$/.test(name) && !name.includes("preview"));
  expect(sources.length).toBeGreaterThan(100);
  const speaking: string[] = [];
  for (const name of [...sources, "src/service/http/page-routes.ts"]) {
    const text = await readFile(name, "utf8");
    if (/aria-live|role["']?[:=,] ?["'](?:status|alert|log|timer|marquee)["']/.test(text)) speaking.push(name);
  }
  expect(speaking).toEqual([join("panel", "document", "announcer.ts")]);
});
