// The scope in the page: it fills, finds signals, triggers, zooms, shows holes, and saves what is seen.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after } from "node:test";
import { close, pageTest, textOf, until } from "./browser.mjs";

after(close);

const rows = (page) => page.evaluate(() => window.rtrd.scopeRows);
const figures = (page) => textOf(page, ".scope-figures");

/** Pixels of the traces: those of the first plot that are neither grid nor ground. */
const painted = (page, colour) =>
  page.evaluate((colour) => {
    const canvas = document.querySelector(".pane canvas");
    const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
    let count = 0;
    for (let at = 0; at < data.length; at += 4)
      if (colour.every((value, channel) => Math.abs(data[at + channel] - value) < 30)) count += 1;
    return count;
  }, colour);

async function choose(page, words) {
  await page.fill("#signal-search", words);
  await page.keyboard.press("Enter");
  await until(words, async () =>
    (await page.locator(".traces li").allInnerTexts()).some((text) => text.includes(words)),
  );
}

pageTest("the scope fills with the steps of the first signals", { mockOnly: "" }, async ({ page }) => {
  await page.click("#tab-scope");
  await until("rows", async () => (await rows(page)) > 2000);
  assert.ok((await page.locator(".traces li").count()) >= 1);
  assert.ok((await painted(page, [86, 180, 233])) > 300, "the first trace is drawn");
  assert.match(await figures(page), /live · \d+ rows\/s/);
});

pageTest(
  "signals are found by keyboard, and share a plot where they share a unit",
  { mockOnly: "the names are the mock's" },
  async ({ page, mock }) => {
    await page.click("#tab-scope");
    await until("three plots", async () => (await page.locator(".pane").count()) === 3);
    await page.focus("#signal-search");
    await page.keyboard.type("wheel fl");
    assert.equal(await page.locator("#signal-search").getAttribute("aria-expanded"), "true");
    assert.ok(await page.locator("#signal-search").getAttribute("aria-activedescendant"));
    await page.keyboard.press("Enter");
    await until("four plots", async () => (await page.locator(".pane").count()) === 4);
    await page.keyboard.type("roll_deg");
    await page.keyboard.press("Enter");
    await until("five traces", async () => (await page.locator(".traces li").count()) === 5);
    assert.equal(await page.locator(".pane").count(), 4, "roll_deg goes to the other angle");
    const watched = mock.received.filter((message) => message.type === "watch").at(-1).signals;
    assert.deepEqual(watched, [
      "speed_km_h",
      "steering_wheel_deg",
      "yaw_rate_deg_s",
      "vehicle.wheels[0].load_n",
      "roll_deg",
    ]);
    await page.click('[aria-label="Take speed_km_h away"]');
    await until("four traces", async () => (await page.locator(".traces li").count()) === 4);
  },
);

pageTest("pause, zoom, back and live", { mockOnly: "" }, async ({ page }) => {
  await page.click("#tab-scope");
  await until("rows", async () => (await rows(page)) > 3000);
  await page.keyboard.press("p");
  await until("the pause", async () => (await figures(page)).startsWith("paused"));
  const paused = await rows(page);
  const frames = await page.evaluate(() => window.rtrd.frames);
  await page.waitForFunction((frames) => window.rtrd.frames > frames + 20, frames);
  assert.equal(await rows(page), paused, "nothing is taken while it is paused");
  await page.keyboard.press("p");
  await until("rows again", async () => (await rows(page)) > paused);
  const box = await page.locator(".pane .u-over").first().boundingBox();
  await page.mouse.move(box.x + 0.6 * box.width, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + 0.9 * box.width, box.y + 60, { steps: 5 });
  await page.mouse.up();
  await until("the zoom", async () => (await figures(page)).startsWith("zoomed"));
  await page.mouse.wheel(0, -300);
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Backspace");
  await until("live by going back", async () => (await figures(page)).startsWith("live"));
  await page.mouse.dblclick(box.x + 0.5 * box.width, box.y + 50);
  await until("all of it", async () => (await figures(page)).startsWith("zoomed"));
  await page.click(".scope-tools >> text=Live");
  await until("live", async () => (await figures(page)).startsWith("live"));
});

pageTest(
  "the trigger captures an edge, single stops, force captures without one",
  { mockOnly: "the square wave is the mock's" },
  async ({ page }) => {
    await page.click("#tab-scope");
    await choose(page, "square");
    await page.selectOption("#scope-window", "1");
    await until("some periods", async () => (await rows(page)) > 2500);
    await page.selectOption("#trigger-mode", "single");
    await page.selectOption("#trigger-signal", "square");
    assert.equal(await page.inputValue("#trigger-level"), "0.5");
    await until("one capture", async () => /Stopped/.test(await textOf(page, ".trigger-state")));
    assert.match(await figures(page), /^capture/);
    await page.selectOption("#trigger-mode", "normal");
    await page.fill("#trigger-level", "7");
    await page.keyboard.press("Tab");
    await until("waiting", async () => /Waiting/.test(await textOf(page, ".trigger-state")));
    await page.click('text="Force"');
    await until("triggered", async () => /^Triggered$/.test(await textOf(page, ".trigger-state")));
    await page.selectOption("#trigger-mode", "auto");
    await until("free", async () => /running free/.test(await textOf(page, ".trigger-state")));
    await page.selectOption("#trigger-mode", "off");
    await until("live", async () => (await figures(page)).startsWith("live"));
  },
);

pageTest("two cursors tell times and values and their differences", { mockOnly: "" }, async ({ page }) => {
  await page.click("#tab-scope");
  await until("rows", async () => (await rows(page)) > 2000);
  await page.keyboard.press("p");
  await page.keyboard.press("c");
  await until("the table", async () => (await page.locator(".cursor-table tbody tr").count()) >= 1);
  const gap = async () => Number(/Δt ([−\d.]+) s/.exec(await textOf(page, ".cursor-times"))?.[1]?.replace("−", "-"));
  await until("the times", gap);
  const before = await gap();
  assert.ok(Math.abs(before - 10 / 3) < 0.01, `${before}`);
  await page.keyboard.press("BracketRight");
  await until("A to move", async () => Math.abs((await gap()) - before + 0.1) < 0.005);
  const first = async () => Number(/A (-?[\d.]+) s/.exec(await textOf(page, ".cursor-times"))[1]);
  const at = await first();
  await page.keyboard.press("p");
  await until("them to go along", async () => (await first()) > at + 0.2);
});

pageTest(
  "missing steps are counted and shown",
  { mockOnly: "only the mock leaves steps out" },
  async ({ page, mock }) => {
    await page.click("#tab-scope");
    await until("rows", async () => (await rows(page)) > 500);
    mock.hole = 50;
    await until("the hole", async () => /1 hole of 50 steps/.test(await figures(page)));
  },
);

pageTest("what is seen is saved as a table and as a picture", { mockOnly: "" }, async ({ page, mock }) => {
  await page.click("#tab-scope");
  await page.selectOption("#scope-window", "1");
  await until("rows", async () => (await rows(page)) > 2500);
  await page.keyboard.press("p");
  const [table] = await Promise.all([page.waitForEvent("download"), page.click("text=CSV")]);
  const lines = (await readFile(await table.path(), "utf8")).trim().split("\n");
  const names = (await page.locator(".trace-name span").allInnerTexts()).map((name) => name.trim());
  assert.equal(lines[0], ["time_s", ...names].join(","));
  assert.ok(lines.length > (mock ? 900 : 50) && lines.length <= 1003, `${lines.length} lines of a second`);
  const times = lines.slice(1).map((line) => Number(line.split(",")[0]));
  assert.ok(times.every((time, at) => at === 0 || time > times[at - 1]));
  const [picture] = await Promise.all([page.waitForEvent("download"), page.click("text=PNG")]);
  const bytes = await readFile(await picture.path());
  assert.equal(bytes.subarray(1, 4).toString(), "PNG");
  assert.ok(bytes.length > 5000, `${bytes.length} bytes`);
});
