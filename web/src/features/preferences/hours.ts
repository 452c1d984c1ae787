/** `HH:mm` each half hour of the day, and the chosen time should it be another. */
export function listTimes(chosen: string): readonly string[] {
  const times = Array.from({ length: 48 }, (_, index) => {
    const hours = String(Math.floor(index / 2)).padStart(2, '0');
    return `${hours}:${index % 2 === 0 ? '00' : '30'}`;
  });
  return times.includes(chosen) ? times : [...times, chosen].sort();
}
