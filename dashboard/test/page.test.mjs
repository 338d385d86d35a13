// The page as a person sees it: the picture, the gauges, the health, the themes, and what happens when the gateway goes away.
import assert from "node:assert/strict";
import { after } from "node:test";
import { close, compare, pageTest, textOf, until } from "./browser.mjs";

after(close);

const PICTURE = { x: 300, y: 180, width: 680, height: 360 };
const frames = (page) => page.evaluate(() => window.rtrd.frames);

pageTest("the vehicle is seen and moves", { mockOnly: "" }, async ({ page }) => {
  const before = await page.evaluate(() => window.rtrd.position);
  const { changed, colours } = await compare(page, PICTURE, async () => {
    await until("the vehicle to go two metres", async () => {
      const now = await page.evaluate(() => window.rtrd.position);
      return Math.hypot(now[0] - before[0], now[1] - before[1]) > 2;
    });
  });
  assert.ok(colours > 200, `a picture, not a surface: ${colours} colours`);
  assert.ok(changed > 3000, `${changed} pixels changed`);
  assert.match(await textOf(page, ".dial.big .dial-value"), /^−?\d+$/);
  assert.match(await textOf(page, "#clock"), /^[\d.]+ s$/);
});

pageTest(
  "the pixels of the car itself move: its wheel's spokes turn while the camera goes with it",
  { mockOnly: "the mock keeps its own driver" },
  async ({ page }) => {
    await page.keyboard.press("4");
    assert.equal(await page.locator(".views button[aria-pressed=true]").first().innerText(), "Orbit");
    const { changed } = await compare(page, { x: 480, y: 230, width: 320, height: 240 }, async () => {
      const seen = await frames(page);
      await until("more states", async () => (await frames(page)) > seen + 20);
    });
    assert.ok(changed > 500, `${changed} pixels changed`);
  },
);

pageTest("each camera shows something else", { mockOnly: "" }, async ({ page }) => {
  for (const [key, name] of [
    ["2", "Driver"],
    ["3", "Top"],
    ["4", "Orbit"],
    ["1", "Chase"],
  ]) {
    const { changed, all } = await compare(page, PICTURE, async () => {
      await page.keyboard.press(key);
      const seen = await frames(page);
      await until("more states", async () => (await frames(page)) > seen + 15);
    });
    assert.equal(await page.locator(".views button[aria-pressed=true]").first().innerText(), name);
    assert.ok(changed > 0.2 * all, `${name}: ${changed} of ${all} pixels changed`);
  }
});

pageTest("the theme changes what is seen, and is kept", { mockOnly: "" }, async ({ page, address }) => {
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(await ground(), "rgb(16, 21, 28)");
  const { changed, all } = await compare(page, PICTURE, () => page.click("#theme"));
  assert.ok(changed > 0.8 * all, "the picture has the theme, too");
  assert.equal(await ground(), "rgb(238, 241, 245)");
  await page.goto(address.split("#")[0]);
  await page.waitForFunction(() => window.rtrd?.frames > 5);
  assert.equal(await ground(), "rgb(238, 241, 245)");
});

pageTest(
  "the tabs obey the arrows, and every control is large enough for a finger",
  { mockOnly: "" },
  async ({ page }) => {
    await page.focus("#tab-drive");
    for (const [key, name] of [
      ["ArrowRight", "scope"],
      ["ArrowRight", "realtime"],
      ["ArrowRight", "drive"],
      ["End", "realtime"],
    ]) {
      await page.keyboard.press(key);
      assert.equal(await page.evaluate(() => document.activeElement.id), `tab-${name}`);
      assert.ok(await page.locator(`#page-${name}`).isVisible());
    }
    for (const name of ["drive", "scope", "realtime"]) {
      await page.click(`#tab-${name}`);
      const small = await page.evaluate(() =>
        [...document.querySelectorAll("button, select, input:not([type=range])")]
          .filter((control) => control.offsetParent !== null)
          .map((control) => ({ words: control.innerText || control.id, box: control.getBoundingClientRect() }))
          .filter(({ box }) => box.height < 44 || box.width < 44)
          .map(({ words }) => words),
      );
      assert.deepEqual(small, [], name);
    }
  },
);

pageTest("the health of the processes is told", { mockOnly: "" }, async ({ page }) => {
  await page.click("#tab-realtime");
  await until("a process", () => page.locator(".process").count());
  const status = await page.evaluate(() => window.rtrd.lastStatus);
  assert.deepEqual(
    await page.locator(".process h2").allInnerTexts(),
    status.processes.map((process) => process.name),
  );
  assert.equal(await page.locator(".blocks tbody tr").count(), status.blocks.length);
  const drawn = await page.evaluate(() => {
    const canvas = document.querySelector(".process canvas:not([hidden])");
    return new Set(new Uint32Array(canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer))
      .size;
  });
  assert.ok(drawn > 5, "a histogram is drawn");
});

pageTest(
  "a condition is shown as words, whatever is in it",
  { mockOnly: "the condition is the mock's" },
  async ({ page, mock }) => {
    assert.equal(await page.locator("#condition").isVisible(), false);
    mock.condition = "<b>hot</b> brake";
    await until("the condition", () => page.locator("#condition").isVisible());
    assert.equal(await textOf(page, "#condition"), "<b>hot</b> brake");
    assert.equal(await page.locator("#condition").getAttribute("role"), "status");
    mock.condition = "";
    await until("that it is gone", async () => !(await page.locator("#condition").isVisible()));
  },
);

pageTest(
  "a lost gateway is said, and found again",
  { mockOnly: "only the mock can be dropped", allowed: /WebSocket connection/ },
  async ({ page, mock }) => {
    // For as long as it refuses, the page has to say so.
    mock.refuses = true;
    mock.dropAll();
    await until("the words", async () => (await textOf(page, "#link")) !== "Connected");
    await until("the banner", () => page.locator("#lost").isVisible());
    assert.match(await textOf(page, "#lost"), /Not connected/);
    assert.equal(await page.evaluate(() => window.rtrd.seat), "unknown");
    mock.refuses = false;
    await until("the connection", async () => (await textOf(page, "#link")) === "Connected");
    const seen = await frames(page);
    await until("states again", async () => (await frames(page)) > seen + 5);
    assert.equal(await page.locator("#lost").isVisible(), false);
  },
);

pageTest(
  "another run behind the same address is shown as what it is, and its token is asked for",
  { mockOnly: "only the mock can be another", allowed: /WebSocket connection|401/ },
  async ({ page, mock }) => {
    mock.model.run.title = "Another run";
    mock.token = "another";
    mock.dropAll();
    await until("the title", async () => (await textOf(page, "#title")) === "Another run");
    await page.waitForFunction(() => window.rtrd?.frames > 5);
    await until("that it may only look", async () => /may look, not drive/.test(await textOf(page, ".seat")));
  },
);

pageTest(
  "what is malformed or unknown changes nothing, and is said once",
  { mockOnly: "only the mock talks nonsense", allowed: /^rtrd: / },
  async ({ page, mock, complaints }) => {
    const [client] = mock.clients;
    for (let again = 0; again < 5; again++) {
      client.binary([1, 0, 0]);
      client.binary([1, 0, 0, 0, 9, 9, 9, 9, 0, 0]);
      client.binary([2, 0, 0, 0, 9, 9, 9, 9, 255, 255, 255, 255, 255, 255, 255, 255, 0, 0, 0, 0, 1, 0, 0, 0]);
      client.binary([7, 0, 0, 0, 0, 0, 0, 0]);
      client.text({ type: "novelty" });
      client.text("{");
    }
    // A malformed message was acknowledged by its header: let the mock send on.
    client.on_way = { state: 0, scope: 0 };
    const seen = await frames(page);
    await until("states after that", async () => (await frames(page)) > seen + 5);
    const said = complaints.filter((text) => text.startsWith("rtrd: "));
    assert.equal(said.length, 3, said.join("\n"));
  },
);

pageTest(
  "a plant has its values and its tank, and no picture",
  { kind: "plant", mockOnly: "it needs a plant" },
  async ({ page }) => {
    assert.equal(await page.locator(".card").count(), 4);
    await until("a value", async () => Number(await textOf(page, ".card output")) > 4);
    assert.ok(await page.locator(".tank").isVisible());
    const height = () => page.evaluate(() => Number(document.querySelector(".tank-fill").getAttribute("height")));
    const before = await height();
    await until("the level to rise", async () => (await height()) > before);
    assert.equal(await page.locator("#page-drive .stage").count(), 0);
    assert.equal(await textOf(page, "#tab-drive"), "Plant");
    const drawn = () =>
      page.evaluate(() => {
        const canvas = document.querySelector(".card canvas");
        const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data.buffer;
        return new Uint32Array(pixels).some((pixel) => pixel !== 0);
      });
    await until("a trend to be drawn", drawn);
  },
);
