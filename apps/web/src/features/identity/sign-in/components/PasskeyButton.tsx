import { Button } from '../../../../ui/Button.tsx'
import { IconFingerprint } from '../../../../ui/icons.ts'

interface PasskeyButtonProps {
  text: string
  busy: boolean
  onPress: () => Promise<unknown>
}

/** Beside the form's own button: nothing of the form is sent. */
export function PasskeyButton({ text, busy, onPress }: PasskeyButtonProps) {
  return (
    <Button
      size="large"
      wide
      busy={busy}
      icon={<IconFingerprint size={19} stroke={1.6} />}
      onClick={() => void onPress()}
    >
      {text}
    </Button>
  )
}
