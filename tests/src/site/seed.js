// Gives the page the same random numbers, and the same first moment, each time it is loaded.
(() => {
  let state = 0x2545f491;
  Math.random = function random() {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
  crypto.getRandomValues = function getRandomValues(array) {
    new Uint8Array(array.buffer, array.byteOffset, array.byteLength).forEach((_, index, bytes) => {
      bytes[index] = Math.random() * 256;
    });
    return array;
  };
  const NativeDate = Date;
  const offset = NativeDate.UTC(2024, 4, 15, 12) - NativeDate.now();
  const now = () => NativeDate.now() + offset;
  window.Date = new Proxy(NativeDate, {
    construct: (target, given, made) => Reflect.construct(target, given.length ? given : [now()], made),
    apply: () => new NativeDate(now()).toString(),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  });
})();
