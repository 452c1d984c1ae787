const unbroken = /(\(\d{3}\) \d{3}-\d{4}|[\w.+-]+@[\w.-]*\w|\b\w\w-\w\w-\w{4}\b)/;

/**
 * A text in which phone numbers stand on one line, from left to right, and an email address that needs two breaks
 * after its at sign, not at a hyphen that then seems to be the line's.
 */
export function Words({ text }: { text: string }) {
  return (
    <span>
      {text.split(unbroken).map((part, index) => {
        if (index % 2 === 0) return part;
        const [name, domain] = part.split('@');
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text keep their order
          <bdi className={domain ? undefined : 'together'} dir="ltr" key={index}>
            {name}
            {domain && (
              <>
                @<wbr />
                <span className={domain.length < 27 ? 'together together-if-room' : undefined}>
                  {domain}
                </span>
              </>
            )}
          </bdi>
        );
      })}
    </span>
  );
}
