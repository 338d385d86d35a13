// How fast the run goes, as a person asks for it; and backwards.
import assert from "node:assert/strict";
import { after } from "node:test";
import { close, pageTest, textOf, until } from "./browser.mjs";

after(close);

const pace = (page) => page.evaluate(() => window.rtrd.pace);
const time = (page) => page.evaluate(() => window.rtrd.time_s);
const goes = (page, expected) => until(`a pace of ${expected}`, async () => (await pace(page)) === expected);
const words = (page) => textOf(page, ".run-words");
const moreStates = async (page) => {
  const frames = await page.evaluate(() => window.rtrd.frames);
  await page.waitForFunction((frames) => window.rtrd.frames > frames + 15, frames);
};
const button = (page, name) => page.locator(".run").getByRole("button", { name, exact: true });

pageTest("the run is held, goes step by step, and goes on", { mockOnly: "" }, async ({ page }) => {
  await goes(page, 1);
  assert.equal(await words(page), "Own pace");
  assert.ok(await button(page, "Step").isDisabled());
  await page.keyboard.press("p");
  await goes(page, 0);
  assert.equal(await words(page), "Held");
  await moreStates(page);
  const held_s = await time(page);
  await moreStates(page);
  assert.equal(await time(page), held_s, "time stands, the messages do not");
  assert.equal(await textOf(page, "#clock"), `${held_s.toFixed(3)} s`);
  for (let step = 1; step <= 3; step++) {
    if (step === 2) await button(page, "Step").click();
    else await page.keyboard.press(".");
    await until("a step", async () => Math.abs((await time(page)) - held_s - 0.001 * step) < 1e-6);
  }
  await button(page, "Go on").click();
  await goes(page, 1);
  await until("time to go on", async () => (await time(page)) > held_s + 0.1);
});

pageTest("slow motion, in words and figures, and held out of it", { mockOnly: "" }, async ({ page }) => {
  await goes(page, 1);
  for (const name of ["0.5", "0.1"]) {
    await button(page, name).click();
    await goes(page, Number(name));
    assert.equal(await words(page), "Slow motion");
    assert.equal(await button(page, name).getAttribute("aria-pressed"), "true");
    const before_s = await time(page);
    await until("time to go on", async () => (await time(page)) > before_s);
  }
  await button(page, "Hold").click();
  await goes(page, 0);
  await button(page, "1").click();
  await goes(page, 1);
});

pageTest("on the scope the key P is the scope's", { mockOnly: "it looks at what the page sends" }, async (all) => {
  const { page, mock } = all;
  await goes(page, 1);
  await page.click("#tab-scope");
  await page.keyboard.press("p");
  await moreStates(page);
  assert.ok(!mock.received.some((message) => message.type === "run"));
  await page.click("#tab-realtime");
  await page.keyboard.press("p");
  await goes(page, 0);
});

pageTest(
  "a page that goes away lets the run go on",
  { mockOnly: "it looks at the pace of the mock" },
  async ({ page, mock }) => {
    await goes(page, 1);
    await page.keyboard.press("p");
    await goes(page, 0);
    await page.goto("about:blank");
    await until("the run to go on", () => mock.pace === 1);
  },
);

pageTest(
  "without the token nobody holds the run",
  { fragment: "t=wrong", mockOnly: "a real address has its token", allowed: /401/ },
  async ({ page, mock }) => {
    await goes(page, 1);
    for (const name of ["Hold", "Step", "0.1"]) assert.ok(await button(page, name).isDisabled(), name);
    await page.keyboard.press("p");
    await moreStates(page);
    assert.ok(!mock.received.some((message) => message.type === "run"));
  },
);

pageTest("a plant is held, too", { kind: "plant", mockOnly: "" }, async ({ page }) => {
  await goes(page, 1);
  await page.keyboard.press("p");
  await goes(page, 0);
  await moreStates(page);
  const held_s = await time(page);
  await moreStates(page);
  assert.equal(await time(page), held_s);
  await page.keyboard.press("p");
  await goes(page, 1);
});

pageTest(
  "who drives may ask for the reverse gear, and the next one drives forwards",
  { mockOnly: "it looks at what the page sends" },
  async ({ page, mock }) => {
    const last = () => mock.received.filter((message) => message.type === "drive").at(-1);
    const holds = (holder) => page.waitForFunction((holder) => window.rtrd.seat === holder, holder);
    await page.keyboard.press("r");
    await page.keyboard.press("t");
    await holds("you");
    await until("drive messages", () => last());
    assert.equal("gear" in last(), false);
    await page.keyboard.press("r");
    await until("the reverse gear", () => last().gear === -1);
    const reverse = page.getByRole("button", { name: "Reverse" });
    assert.equal(await reverse.getAttribute("aria-pressed"), "true");
    await reverse.click();
    await until("none", () => !("gear" in last()));
    await page.keyboard.press("r");
    await until("the reverse gear", () => last().gear === -1);
    await page.keyboard.press("Escape");
    await holds("none");
    assert.equal(await reverse.isVisible(), false);
    const before = mock.received.length;
    await page.keyboard.press("t");
    await holds("you");
    const since = () => mock.received.slice(before).filter((message) => message.type === "drive");
    await until("drive messages", () => since().length > 3);
    assert.ok(since().every((message) => !("gear" in message)));
  },
);
