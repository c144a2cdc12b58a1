#include "reader/reader.h"

#include "reader/aider.h"
#include "reader/claude.h"
#include "reader/cline.h"
#include "reader/codex.h"
#include "reader/continue.h"
#include "reader/copilot.h"
#include "reader/gemini.h"
#include "reader/opencode.h"
#include "reader/pi.h"
#include "reader/plain.h"
#include "reader/qwen.h"

static const struct reader readers[] = {
	[TRANSCRIPT_CLAUDE] = {"claude", claude_read, NULL, NULL},
	[TRANSCRIPT_CODEX] = {"codex", codex_read, NULL, NULL},
	[TRANSCRIPT_GEMINI] = {"gemini", gemini_read, NULL, NULL},
	[TRANSCRIPT_OPENCODE] = {"opencode", opencode_read, opencode_each,
				 NULL},
	[TRANSCRIPT_COPILOT] = {"copilot", copilot_read, NULL, NULL},
	[TRANSCRIPT_QWEN] = {"qwen", qwen_read, NULL, NULL},
	[TRANSCRIPT_CONTINUE] = {"continue", continue_read, NULL, NULL},
	[TRANSCRIPT_AIDER] = {"aider", aider_read, NULL, aider_count},
	[TRANSCRIPT_PI] = {"pi", pi_read, NULL, NULL},
	[TRANSCRIPT_CLINE] = {"cline", cline_read, NULL, NULL},
	[TRANSCRIPT_ROO] = {"roo", cline_read, NULL, NULL},
	[TRANSCRIPT_TEXT] = {"text", plain_read, NULL, NULL},
};

const struct reader *reader_of(enum transcript_format f)
{
	return &readers[f];
}
