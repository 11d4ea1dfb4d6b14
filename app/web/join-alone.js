// An assignment in a link, where a class has no server: as core/link packs it.
"use strict";
(() => {
  /** @type {(bytes: Uint8Array) => number} */
  const crc = bytes => {
    let c = -1;
    for (const b of bytes) {
      c ^= b;
      for (let k = 0; k < 8; k++) c = c & 1 ? c >>> 1 ^ 0xedb88320 : c >>> 1;
    }
    return ~c >>> 0;
  };
  /** @type {(bytes: Uint8Array) => string} what people may copy wrongly is told by it: the upper 25 bits of the sum */
  const mark = bytes => {
    let sum = crc(bytes) >>> 7, out = "";
    for (let k = 0; k < 5; k++, sum >>>= 5) out = "0123456789abcdefghjkmnpqrstvwxyz"[sum & 31] + out;
    return out;
  };

  const most = 256 << 10; // bytes; a small link could grow without end
  /** @type {(bytes: Uint8Array<ArrayBuffer>) => Promise<Uint8Array<ArrayBuffer>>} */
  const inflate = async bytes => {
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
    const parts = [];
    for (let n = 0; ;) {
      const { done, value } = await reader.read();
      if (done) break;
      if ((n += value.length) > most) throw new Error();
      parts.push(value);
    }
    return new Uint8Array(await new Blob(parts).arrayBuffer());
  };

  window.hadarlab.join.unpack = async text => {
    const [, codec, coded, check] = /^1([zj])\.([\w-]+)\.([0-9a-z]{5})/i.exec(text) || [];
    if (!coded) throw new Error();
    let bytes = Uint8Array.from(atob(coded.replace(/-/g, "+").replace(/_/g, "/")), c => c.charCodeAt(0));
    if (codec === "z") bytes = await inflate(bytes);
    if (mark(bytes) !== check.toLowerCase().replace(/o/g, "0").replace(/[il]/g, "1")) throw new Error();
    const a = JSON.parse(new TextDecoder().decode(bytes));
    if (a.kind !== "assignment" || !Array.isArray(a.questions)) throw new Error();
    return a;
  };
})();
