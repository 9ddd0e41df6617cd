// Steps the basins minute by minute: what leaves one flows into the next.
let inflow = 0, basins = [], minutes = 0;

function minute(gates) {
  let arriving = inflow / 10;
  for (const [index, basin] of basins.entries()) {
    const leaving = gates[index] ? basin.gate * basin.level * 10 : 0;
    basin.level = Math.min(4, Math.max(0, basin.level + (arriving - leaving) / basin.area));
    arriving = leaving;
  }
  minutes += 1;
}

self.onmessage = ({ data }) => {
  if (data.model) {
    ({ inflow, basins } = structuredClone(data.model));
    minutes = 0;
    self.postMessage({ minutes, series: [basins.map(({ level }) => level)] });
    return;
  }
  const series = [];
  for (let count = 1; count <= data.run; count += 1) {
    minute(data.gates);
    if (count % 10 === 0) series.push(basins.map(({ level }) => level));
  }
  self.postMessage({ minutes, series });
};
