// As much of RFC 6455 as a test needs: the handshake, unfragmented frames both ways, close and ping.
import { createHash } from "node:crypto";

const MAGIC = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

export function accept(request, socket, received, closed) {
  const key = createHash("sha1")
    .update(request.headers["sec-websocket-key"] + MAGIC)
    .digest("base64");
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`,
  );
  socket.setNoDelay(true);
  let rest = Buffer.alloc(0);
  socket.on("data", (data) => {
    rest = Buffer.concat([rest, data]);
    for (let frame = take(rest); frame; frame = take(rest)) {
      rest = rest.subarray(frame.length);
      if (frame.code === 8) return socket.end(encode(8, frame.body));
      if (frame.code === 9) socket.write(encode(10, frame.body));
      if (frame.code === 1) received(frame.body.toString());
    }
  });
  socket.on("error", () => {});
  socket.on("close", closed);
  return {
    text: (message) =>
      socket.write(encode(1, Buffer.from(typeof message === "string" ? message : JSON.stringify(message)))),
    binary: (bytes) => socket.write(encode(2, Buffer.from(bytes))),
    close: (code, reason) =>
      socket.end(encode(8, Buffer.concat([Buffer.from([code >> 8, code & 255]), Buffer.from(reason)]))),
    drop: () => socket.destroy(),
  };
}

/** The first whole frame of a client, whose bytes are masked. */
function take(bytes) {
  if (bytes.length < 6) return null;
  let size = bytes[1] & 127;
  let at = 2;
  if (size === 126) [size, at] = [bytes.readUInt16BE(2), 4];
  else if (size === 127) throw new Error("a page sends no frame of that size");
  if (bytes.length < at + 4 + size) return null;
  const mask = bytes.subarray(at, at + 4);
  const body = Buffer.from(bytes.subarray(at + 4, at + 4 + size)).map((byte, index) => byte ^ mask[index % 4]);
  return { code: bytes[0] & 15, body, length: at + 4 + size };
}

function encode(code, body) {
  const size = body.length;
  const head =
    size < 126
      ? Buffer.from([0x80 | code, size])
      : size < 65536
        ? Buffer.from([0x80 | code, 126, size >> 8, size & 255])
        : Buffer.alloc(10);
  if (size >= 65536) {
    head[0] = 0x80 | code;
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(size), 2);
  }
  return Buffer.concat([head, body]);
}
