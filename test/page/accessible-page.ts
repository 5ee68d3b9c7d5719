import axe from "axe-core";
import type { Page } from "playwright-core";

/** What axe-core objects to in what the page shows now, at the width of a telephone and of a desk. */
export async function violations(page: Page): Promise<string[]> {
  const found: string[] = [];
  for (const width of [360, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    // The page forbids scripts of others: this one comes past its policy, as a browser's extension does.
    const session = await page.context().newCDPSession(page);
    const { result } = await session.send("Runtime.evaluate", {
      expression: `${axe.source}; axe.run(document).then(({ violations }) => JSON.stringify(violations.flatMap(({ id, nodes }) =>
        nodes.map(({ html }) => id + ": " + html.slice(0, 160)))))`,
      awaitPromise: true,
      returnByValue: true,
    });
    found.push(...JSON.parse(result.value).map((violation: string) => `${width}: ${violation}`));
    const isWider = await page.evaluate<boolean>(
      "document.documentElement.scrollWidth > document.documentElement.clientWidth",
    );
    if (isWider) found.push(`${width}: the page is wider than its window`);
    await session.detach();
  }
  return found;
}

/**
 * Presses Tab until a control has the focus.
 *
 * @param mostPresses After so many presses the control counts as out of reach.
 * @throws Error when Tab does not lead there, with the controls that it led to.
 */
export async function tabToControl(page: Page, id: string, mostPresses: number): Promise<void> {
  const visited: string[] = [];
  for (let presses = 0; presses < mostPresses; presses++) {
    await page.keyboard.press("Tab");
    const focused = await page.evaluate<string>("document.activeElement?.id ?? ''");
    if (focused === id) return;
    visited.push(focused);
  }
  throw new Error(`Tab does not lead to ${id}, but to ${visited.join(" ")}`);
}
