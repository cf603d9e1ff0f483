import { byteOrderMark } from './byte-order-mark.ts'
import { emptyFile } from './empty-file.ts'
import { gluedRecords } from './glued-records.ts'
import { invalidUtf8 } from './invalid-utf8.ts'
import { loneSurrogate } from './lone-surrogate.ts'
import { notATranscript } from './not-a-transcript.ts'
import { nulBytes } from './nul-bytes.ts'
import { splitRecord } from './split-record.ts'
import { tornRecord } from './torn-record.ts'

export const FILE_RULES = [
  emptyFile,
  notATranscript,
  byteOrderMark,
  nulBytes,
  tornRecord,
  gluedRecords,
  splitRecord,
  invalidUtf8,
  loneSurrogate,
]
