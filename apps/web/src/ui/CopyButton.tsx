import { useEffect, useRef, useState } from 'react'
import toast from 'react-hot-toast'
import { useTranslation } from 'react-i18next'
import { Button, type ButtonProps, IconButton } from './Button.tsx'
import { IconCheck, IconCopy } from './icons.ts'

interface CopyButtonProps {
  /** What is copied; undefined while it is on its way. */
  text: string | undefined
  label: string
  /** What the toast says; the button itself shows a tick. */
  confirmation: string
  size?: 'normal' | 'small'
  kind?: ButtonProps['kind']
  /** Nothing but the icon is shown. */
  compact?: boolean
  className?: string
}

export function CopyButton(props: CopyButtonProps) {
  const { text, label, confirmation, size = 'normal', kind = 'secondary', compact, className } = props
  const { t } = useTranslation('ui')
  const [copied, setCopied] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])

  const copy = async () => {
    if (text === undefined) return
    if (!(await copyText(text))) {
      toast.error(t('copyFailed'))
      return
    }
    toast.success(confirmation)
    setCopied(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setCopied(false), 2000)
  }
  const Icon = copied ? IconCheck : IconCopy
  const stroke = copied ? 1.8 : 1.6
  if (compact)
    return (
      <IconButton
        Icon={Icon}
        size={17}
        stroke={stroke}
        className={className}
        label={label}
        tip
        onClick={copy}
      />
    )
  return (
    <Button
      kind={kind}
      size={size}
      icon={<Icon size={17} stroke={stroke} />}
      className={className}
      disabled={text === undefined}
      onClick={copy}
    >
      {label}
    </Button>
  )
}

/** Copies, also on plain http, where browsers have no clipboard API (which `useClipboard` needs). */
async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return copyBySelection(text)
  }
}

function copyBySelection(text: string): boolean {
  const area = document.createElement('textarea')
  area.value = text
  area.readOnly = true
  area.style.cssText = 'position:fixed;top:0;opacity:0'
  const active = document.activeElement
  const home = active?.closest('[role="dialog"]') ?? document.body
  home.append(area)
  area.select()
  try {
    return document.execCommand('copy')
  } catch {
    return false
  } finally {
    area.remove()
    if (active instanceof HTMLElement) active.focus()
  }
}
