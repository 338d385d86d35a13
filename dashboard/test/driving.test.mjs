// The driver's seat: taken and let go, by keys, pads and fingers; and that nothing drives on when the page cannot be seen.
import assert from "node:assert/strict";
import { after } from "node:test";
import { close, pageTest, textOf, until } from "./browser.mjs";

after(close);

const seat = (page) => page.evaluate(() => window.rtrd.seat);
const holds = (page) => until("the seat", async () => (await seat(page)) === "you");
const drives = (mock) => mock.received.filter((message) => message.type === "drive");
const releases = (mock) =>
  mock.received.filter((message) => message.type === "seat" && message.action === "release").length;

pageTest(
  "keys drive: the seat is taken, the throttle grows, and the seat is handed back",
  { mockOnly: "" },
  async ({ page, mock }) => {
    assert.match(await textOf(page, ".seat-words"), /own driver/);
    await page.keyboard.press("t");
    await holds(page);
    assert.equal(await textOf(page, ".seat-words"), "You have the wheel");
    await page.keyboard.down("w");
    await page.keyboard.down("ArrowLeft");
    const throttle = () => page.evaluate(() => parseFloat(document.querySelector(".bar.throttle output").textContent));
    await until("the throttle", async () => (await throttle()) > 50);
    if (mock) {
      const sent = drives(mock)
        .map((message) => message.throttle_ratio)
        .filter((ratio) => ratio > 0);
      assert.ok(sent.length > 10, `${sent.length} messages`);
      assert.ok(
        sent.every((ratio, at) => at === 0 || ratio >= sent[at - 1]),
        "it only grows",
      );
      assert.ok(drives(mock).at(-1).steering_angle_rad > 0, "left is positive");
      assert.ok(drives(mock).at(-1).steering_angle_rad <= 9.4);
    }
    await page.keyboard.up("w");
    await page.keyboard.down("Space");
    const brake = () => page.evaluate(() => parseFloat(document.querySelector(".bar.brake output").textContent));
    await until("the brake", async () => (await brake()) > 90);
    await page.keyboard.up("Space");
    await page.keyboard.press("b");
    await until("the seat to be the run's", async () => (await seat(page)) === "run");
  },
);

pageTest(
  "letting go stops the messages, however it happens",
  { mockOnly: "it counts what the page sends" },
  async ({ page, mock }) => {
    const ways = {
      Esc: () => page.keyboard.press("Escape"),
      "the window loses its focus": () => page.evaluate(() => window.dispatchEvent(new Event("blur"))),
      "the page is hidden": () =>
        page.evaluate(() => {
          Object.defineProperty(document, "hidden", { value: true, configurable: true });
          document.dispatchEvent(new Event("visibilitychange"));
          delete document.hidden;
        }),
    };
    for (const [way, happens] of Object.entries(ways)) {
      const before = releases(mock);
      await page.click("text=Take the wheel");
      await holds(page);
      await page.keyboard.down("ArrowUp");
      const sent = drives(mock).length;
      await until("drive messages", () => drives(mock).length > sent + 5);
      await happens();
      await until(way, () => releases(mock) === before + 1);
      assert.equal(await seat(page), "none", way);
      assert.match(await textOf(page, ".seat-words"), /Nobody/, way);
      const last = mock.received.map((message) => message.type).lastIndexOf("seat");
      const frames = await page.evaluate(() => window.rtrd.frames);
      await page.waitForFunction((frames) => window.rtrd.frames > frames + 15, frames);
      assert.ok(
        !mock.received.slice(last + 1).some((message) => message.type === "drive"),
        `${way}: nothing is sent after it`,
      );
      await page.keyboard.up("ArrowUp");
    }
  },
);

pageTest(
  "a page that goes away leaves the seat empty",
  { mockOnly: "it looks at who the mock says has the seat" },
  async ({ page, mock }) => {
    await page.keyboard.press("t");
    await holds(page);
    assert.equal(mock.holder, "you");
    // Whether the last message gets out or only the end of the connection is the browser's choice.
    await page.goto("about:blank");
    await until("nobody", () => mock.holder === "none");
  },
);

pageTest(
  "a lost connection ends driving, and it does not begin again by itself",
  { mockOnly: "only the mock can be dropped", allowed: /WebSocket connection/ },
  async ({ page, mock }) => {
    await page.keyboard.press("t");
    await holds(page);
    mock.dropAll();
    await until("that it is known", async () => (await seat(page)) !== "you");
    await until(
      "the connection",
      async () => (await textOf(page, "#link")) === "Connected" && (await seat(page)) !== "unknown",
    );
    assert.notEqual(await seat(page), "you");
  },
);

pageTest(
  "the address can take the seat, and forgets the token",
  { fragment: "t=test&drive", mockOnly: "a real address has no &drive" },
  async ({ page }) => {
    await holds(page);
    assert.equal(await page.evaluate(() => location.hash), "");
    assert.equal(await page.evaluate(() => sessionStorage.getItem("rtrd.token")), "test");
  },
);

pageTest(
  "without the token the page looks on, and says why",
  { fragment: "t=wrong", mockOnly: "a real address has its token", allowed: /401/ },
  async ({ page, mock }) => {
    await until("the words", async () => /may look, not drive/.test(await textOf(page, ".seat")));
    assert.ok(await page.locator("text=Take the wheel").isDisabled());
    await page.keyboard.press("t");
    const frames = await page.evaluate(() => window.rtrd.frames);
    await page.waitForFunction((frames) => window.rtrd.frames > frames + 5, frames);
    assert.equal(
      await page.evaluate(() => sessionStorage.getItem("rtrd.token")),
      "",
      "a wrong token is not shown again",
    );
    assert.ok(!mock.received.some((message) => message.type === "seat"));
  },
);

pageTest(
  "a game pad steers and its triggers are the pedals; when it is pulled out the seat is let go",
  { mockOnly: "it looks at what the page sends" },
  async ({ page, mock }) => {
    await page.evaluate(() => {
      const pad = {
        index: 0,
        id: "Test pad",
        connected: true,
        mapping: "standard",
        axes: [0.8, 0, 0, 0],
        buttons: Array.from({ length: 17 }, () => ({ value: 0 })),
      };
      pad.buttons[7].value = 0.6;
      window.pad = pad;
      navigator.getGamepads = () => [window.pad];
      window.dispatchEvent(Object.assign(new Event("gamepadconnected"), { gamepad: pad }));
    });
    assert.equal(await textOf(page, ".pads option"), "Test pad");
    await page.keyboard.press("t");
    await holds(page);
    await until("the pad's throttle", () =>
      drives(mock).some((message) => message.throttle_ratio === 0.6 && message.steering_angle_rad < -1),
    );
    await page.evaluate(() => {
      const { pad } = window;
      window.pad = null;
      window.dispatchEvent(Object.assign(new Event("gamepaddisconnected"), { gamepad: pad }));
    });
    await until("the release", () => releases(mock) === 1);
  },
);

pageTest(
  "fingers drive with the wheel and the pedals on the screen",
  { mockOnly: "it looks at what the page sends" },
  async ({ page, mock }) => {
    await page.keyboard.press("t");
    await holds(page);
    await page.click("text=Touch");
    const pedal = await page.locator(".touch-pedal.throttle").boundingBox();
    await page.mouse.move(pedal.x + pedal.width / 2, pedal.y + 0.75 * pedal.height);
    await page.mouse.down();
    await until(
      "some throttle",
      () => drives(mock).at(-1)?.throttle_ratio > 0.2 && drives(mock).at(-1).throttle_ratio < 0.5,
    );
    await page.mouse.move(pedal.x + pedal.width / 2, pedal.y - 40);
    await until("all throttle, even beyond its edge", () => drives(mock).at(-1).throttle_ratio === 1);
    await page.mouse.up();
    await until("none", () => drives(mock).at(-1).throttle_ratio === 0);
    const wheel = await page.locator(".touch-wheel").boundingBox();
    const at = (angle) => [
      wheel.x + wheel.width * (0.5 + 0.4 * Math.sin(angle)),
      wheel.y + wheel.height * (0.5 - 0.4 * Math.cos(angle)),
    ];
    await page.mouse.move(...at(0));
    await page.mouse.down();
    for (let angle = 0; angle > -1.2; angle -= 0.2) await page.mouse.move(...at(angle));
    await until("to the left", () => drives(mock).at(-1).steering_angle_rad > 2);
    await page.mouse.up();
    await until("back to the middle", () => drives(mock).at(-1).steering_angle_rad === 0);
  },
);
