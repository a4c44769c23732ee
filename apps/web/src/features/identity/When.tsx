import { formats } from '../../ui/format.ts'

/** A moment in a column of a table: the day stays in one line, the time may take the next. */
export function When({ at }: { at: string }) {
  const text = formats.dateTime(at)
  const end = text.lastIndexOf(' ')
  return (
    <>
      <span className="security-day">{text.slice(0, end)}</span>
      <span>{text.slice(end)}</span>
    </>
  )
}
