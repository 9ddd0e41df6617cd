// Screenshots stand in the file once, as base64 in inert script elements, and become blobs only when they are shown:
// a report with 50 MB of them opens at once and decodes what is looked at.
const urls = new Map();

function imageUrl(hash) {
  if (!urls.has(hash)) {
    const holder = document.getElementById('image-' + hash);
    if (!holder) return null;
    const binary = atob(holder.textContent.trim());
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < bytes.length; i++) bytes[i] = binary.charCodeAt(i);
    urls.set(hash, URL.createObjectURL(new Blob([bytes], { type: 'image/png' })));
  }
  return urls.get(hash);
}

const whenSeen = new IntersectionObserver((entries) => {
  for (const entry of entries) {
    if (!entry.isIntersecting) continue;
    whenSeen.unobserve(entry.target);
    entry.target.src = imageUrl(entry.target.dataset.hash);
  }
}, { rootMargin: '300px' });

function lazyImage(hash, alt) {
  const image = el('img', { alt, 'data-hash': hash, decoding: 'async' });
  whenSeen.observe(image);
  return image;
}
