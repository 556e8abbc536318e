// Comparisons as trees: each half of the operands is less, equal, or neither.

(* techmap_celltype = "$lt $le $gt $ge" *)
module comparison (A, B, Y);
  parameter A_SIGNED = 0;
  parameter B_SIGNED = 0;
  parameter A_WIDTH = 0;
  parameter B_WIDTH = 0;
  parameter Y_WIDTH = 0;
  parameter _TECHMAP_CELLTYPE_ = "";

  input [A_WIDTH-1:0] A;
  input [B_WIDTH-1:0] B;
  output [Y_WIDTH-1:0] Y;

  localparam WIDER = A_WIDTH > B_WIDTH ? A_WIDTH : B_WIDTH;
  localparam WIDTH = WIDER > 0 ? WIDER : 1;
  localparam SIGNED = A_SIGNED && B_SIGNED;
  localparam SWAPPED = _TECHMAP_CELLTYPE_ == "$gt" || _TECHMAP_CELLTYPE_ == "$le";
  localparam STRICT = _TECHMAP_CELLTYPE_ == "$lt" || _TECHMAP_CELLTYPE_ == "$gt";

  // Numbers with a sign have the order of those without one, once their highest bits are inverted.
  wire [WIDTH-1:0] offset = SIGNED ? 1 << (WIDTH - 1) : 0;
  wire [WIDTH-1:0] a, b;
  wire less;

  // An operand of no bits, as Amaranth writes a 0, is a port [-1:0]: two bits that nothing drives.
  generate
    if (A_WIDTH == 0) assign a = offset;
    else assign a = {{(WIDTH - A_WIDTH){SIGNED ? A[A_WIDTH-1] : 1'b0}}, A} ^ offset;
    if (B_WIDTH == 0) assign b = offset;
    else assign b = {{(WIDTH - B_WIDTH){SIGNED ? B[B_WIDTH-1] : 1'b0}}, B} ^ offset;
  endgenerate

  comparison_tree #(.WIDTH(WIDTH)) tree (
    .A(SWAPPED ? b : a), .B(SWAPPED ? a : b), .LESS(less), .SAME()
  );
  assign Y = STRICT ? less : !less;
endmodule

module comparison_tree (A, B, LESS, SAME);
  parameter WIDTH = 1;

  input [WIDTH-1:0] A, B;
  output LESS, SAME;

  generate
    if (WIDTH == 1) begin
      assign LESS = ~A & B;
      assign SAME = A ~^ B;
    end else begin
      wire low_less, low_same, high_less, high_same;
      comparison_tree #(.WIDTH(WIDTH / 2)) low (
        .A(A[WIDTH/2-1:0]), .B(B[WIDTH/2-1:0]), .LESS(low_less), .SAME(low_same)
      );
      comparison_tree #(.WIDTH(WIDTH - WIDTH / 2)) high (
        .A(A[WIDTH-1:WIDTH/2]), .B(B[WIDTH-1:WIDTH/2]), .LESS(high_less), .SAME(high_same)
      );
      assign LESS = high_less | (high_same & low_less);
      assign SAME = high_same & low_same;
    end
  endgenerate
endmodule
