export default new URL(import.meta.url).search.slice(1);
